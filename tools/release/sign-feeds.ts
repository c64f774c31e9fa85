import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  isReleaseKey,
  type ReleaseFile,
  readStatement,
  statementText,
} from '../../main/desktop/updates/release-signature.ts';
import { ofLibrary } from '../../scripts/package/builder-library.mjs';

interface SigningOrder {
  /** The folder with installers and the feed files that electron-builder wrote for them. */
  readonly folder: string;
  /** The publisher's private key: Ed25519, PKCS 8, PEM. */
  readonly key: string;
  /** The public keys that the program trusts (`release-signature.ts`). */
  readonly trusted: readonly string[];
}

/** `latest.yml`, `beta-mac.yml`, `latest-linux-arm64.yml` */
const feedFile = /^([a-z]+)(?:-(mac|linux(?:-[a-z\d]+)?))?\.yml$/;

/**
 * Signs every feed file of a folder in its place. Gives their names. Throws, with nothing written, where the
 * key is not one that the program trusts, where a feed file announces what is not beside it with that
 * size and hash, and where there is none.
 */
export async function signFeeds({ folder, key, trusted }: SigningOrder): Promise<readonly string[]> {
  const privateKey = privateKeyIn(key);
  const mine = publicHalf(privateKey);
  if (!trusted.filter(isReleaseKey).includes(mine))
    throw new Error(`The key’s public half, ${mine}, is not in main/desktop/updates/release-signature.ts.`);
  const signed: (readonly [name: string, text: string])[] = [];
  for (const name of readdirSync(folder).sort()) {
    const [, channel, system = 'windows'] = feedFile.exec(name) ?? [];
    if (channel === undefined) continue;
    const text = readFileSync(join(folder, name), 'utf8').replace(/^signature:.*\n/m, '');
    const statement = readStatement(ofLibrary('js-yaml').load(text), channel, system);
    for (const file of statement.files) await check(folder, name, file);
    const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString('base64');
    signed.push([name, `${text.trimEnd()}\nsignature: ${signature}\n`]);
  }
  if (signed.length === 0) throw new Error(`There is no feed file (latest*.yml) in ${folder}.`);
  for (const [name, text] of signed) writeFileSync(join(folder, name), text);
  return signed.map(([name]) => name);
}

/** Of a private key, as `release-signature.ts` holds it. Throws where it is none of Ed25519. */
export function publicKeyOf(key: string): string {
  return publicHalf(privateKeyIn(key));
}

function privateKeyIn(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below: what the library says of a key may hold some of it.
  }
  throw new Error('TILELIFT_RELEASE_KEY is no Ed25519 private key in PEM (docs/release.md).');
}

function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

async function check(folder: string, feed: string, { url, size, sha512 }: ReleaseFile): Promise<void> {
  const hash = createHash('sha512');
  let length = 0;
  try {
    await pipeline(createReadStream(join(folder, url)), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        length += chunk.length;
        hash.update(chunk);
      }
    });
  } catch (cause) {
    throw new Error(`${feed} announces ${url}, which can’t be read.`, { cause });
  }
  if (length !== size || hash.digest('base64') !== sha512)
    throw new Error(`${feed} announces ${url} with another size or hash than it has.`);
}
