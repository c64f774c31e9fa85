import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

/**
 * What the publisher signs of a release, and how that is checked (docs/decisions/011). The feed's server is
 * believed nothing: version, channel, system, date and every file's hash are bound by one Ed25519 signature,
 * so that neither an old installer can be announced as a new one nor one system's or channel's release as
 * another's. Pure.
 */

/** A release as one feed file announces it. */
export interface ReleaseStatement {
  /** The system that the feed file is for, as its name has it: `windows`, `mac`, `linux`, `linux-arm64` … */
  readonly system: string;
  readonly channel: string;
  readonly version: string;
  /** ISO 8601. */
  readonly releasedAt: string;
  readonly files: readonly ReleaseFile[];
}

export interface ReleaseFile {
  /** As the feed addresses it. */
  readonly url: string;
  /** Bytes. */
  readonly size: number;
  /** Base64. */
  readonly sha512: string;
}

/** Nothing that could begin a line of its own in the signed text. */
const word = z.string().regex(/^[^\s]{1,500}$/);

/** What is signed of a feed file; electron-builder writes all but the signature. */
const announced = z.object({
  version: word,
  releaseDate: z.union([word, z.date().transform((date) => date.toISOString())]),
  files: z
    .array(z.object({ url: word, size: z.int().nonnegative(), sha512: word }))
    .min(1)
    .max(20),
});
const signatureOf = z.object({ signature: z.string().regex(/^[\w+/]{86}==$/) });

/** DER of an Ed25519 public key up to its 32 bytes (RFC 8410 4). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const keyBytes = 32;

/** By which name feed files know a system (electron-updater's `getChannelFilePrefix`). */
export function feedSystem(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'mac';
  return arch === 'x64' ? 'linux' : `linux-${arch}`;
}

/** The release that a feed file announces. Throws where something signed is missing or of the wrong kind. */
export function readStatement(feed: unknown, channel: string, system: string): ReleaseStatement {
  const { version, releaseDate, files } = announced.parse(feed);
  return { system, channel, version, releasedAt: releaseDate, files };
}

/** The text that is signed, the same for whoever writes or reads a release. */
export function statementText({ system, channel, version, releasedAt, files }: ReleaseStatement): string {
  return [
    'Tilelift release 1',
    `system ${system}`,
    `channel ${channel}`,
    `version ${version}`,
    `released ${releasedAt}`,
    ...files.map(({ url, size, sha512 }) => `file ${size} ${sha512} ${url}`),
    '',
  ].join('\n');
}

/** Whether one of these keys has signed the release. `feed` is the feed file, which carries the signature. */
export function isSigned(feed: unknown, statement: ReleaseStatement, keys: readonly string[]): boolean {
  const signature = signatureOf.safeParse(feed).data?.signature;
  if (signature === undefined) return false;
  const text = Buffer.from(statementText(statement));
  return keys.some((key) => verify(null, text, publicKey(key), Buffer.from(signature, 'base64')));
}

/** True for a public key that someone may hold the other half of: 32 bytes in base64, not all zero. */
export function isReleaseKey(key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === keyBytes && bytes.some((byte) => byte !== 0);
}

function publicKey(key: string) {
  const der = Buffer.concat([derPrefix, Buffer.from(key, 'base64')]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/**
 * Who may release Tilelift: Ed25519 public keys (RFC 8032), 32 bytes in base64. Two, so that one can be
 * retired while the other still reaches every copy (docs/release.md). A key of zeros stands where there is
 * none yet; a build without any takes no updates.
 */
const keys = ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='];

/** The keys that there are. */
export const releaseKeys: readonly string[] = keys.filter(isReleaseKey);
