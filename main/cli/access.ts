import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomicSync } from '../atomic-file.ts';
import { hasCode } from '../errno.ts';
import type { Environment } from './process.ts';
import { readSecretFile } from './secret-file.ts';
import { UsageError } from './usage-error.ts';

/**
 * For machines without a keychain: a secret from the environment, systemd's credentials, or a file of mode
 * 0600.
 */

/** The secret's place, never the secret. */
const rememberedSchema = z.object({
  version: z.literal(1),
  /** An access token, or the key of the vault with a browser's sign-in. */
  kind: z.enum(['token-file', 'key-file']),
  /** Absolute. */
  path: z.string().min(1).max(4_096),
});
type RememberedAccess = z.infer<typeof rememberedSchema>;

/** Names of systemd credentials (`LoadCredential=tilelift-token:…`). */
const credentialNames = { token: 'tilelift-token', key: 'tilelift-key' } as const;

export type Access =
  /** The token also encrypts the vault, whose content is useless without it. */
  | { readonly kind: 'token'; readonly secret: string }
  | { readonly kind: 'key'; readonly secret: string }
  | { readonly kind: 'none' };

const fileOf = (home: string) => join(home, 'access.json');

/**
 * From `TILELIFT_TOKEN`, systemd's credentials, or the file of the last `sign-in`.
 * @throws UsageError if the file can't be used
 */
export function readAccess(home: string, env: Environment): Access {
  const token = env.TILELIFT_TOKEN?.trim();
  if (token) return { kind: 'token', secret: token };
  for (const kind of ['token', 'key'] as const) {
    const path = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, credentialNames[kind]);
    if (path && existsSync(path)) return { kind, secret: readSecretFile(path, true) };
  }
  const rememberedAccess = readRemembered(home);
  if (!rememberedAccess) return { kind: 'none' };
  return {
    kind: rememberedAccess.kind === 'token-file' ? 'token' : 'key',
    secret: readSecretFile(rememberedAccess.path),
  };
}

/** Throws `UsageError` if damaged. */
function readRemembered(home: string): RememberedAccess | null {
  const path = fileOf(home);
  if (!existsSync(path)) return null;
  try {
    return rememberedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError({ key: 'cli.secret.accessDamaged', values: { path } });
  }
}

export function rememberAccess(home: string, rememberedAccess: Omit<RememberedAccess, 'version'>): void {
  const path = fileOf(home);
  writeFileAtomicSync(path, `${JSON.stringify({ version: 1, ...rememberedAccess })}\n`, `${path}.new`, 0o600);
}

/** Keeps the secret file itself. */
export function forgetAccess(home: string): void {
  rmSync(fileOf(home), { force: true });
}

interface AccessToSignIn {
  /** Encrypts the vault. */
  readonly access: Access;
  /** Null keeps the stored one. */
  readonly remembered: Omit<RememberedAccess, 'version'> | null;
  /** Null signs in with a browser. */
  readonly token: string | null;
}

/**
 * The given files, else `readAccess`. Creates a missing key file; with both, the vault stores the token, for
 * several accounts.
 * @throws UsageError if a file can't be used, or nothing can encrypt a browser's sign-in
 */
export function accessToSignIn(
  home: string,
  env: Environment,
  {
    tokenFile,
    keyFile,
    token: givenToken,
  }: { readonly tokenFile?: string; readonly keyFile?: string; readonly token?: string },
): AccessToSignIn {
  const token = tokenFile === undefined ? (givenToken?.trim() ?? null) : readSecretFile(tokenFile);
  if (token === '') throw new UsageError({ key: 'cli.secret.emptyInput' });
  if (tokenFile !== undefined && token !== null && keyFile === undefined)
    return {
      ...{ access: { kind: 'token', secret: token }, token },
      remembered: { kind: 'token-file', path: tokenFile },
    };
  if (keyFile === undefined) {
    const access = readAccess(home, env);
    if (access.kind === 'none') throw new UsageError({ key: 'cli.secret.nothingNamed' });
    return { access, remembered: null, token: access.kind === 'token' ? access.secret : null };
  }
  try {
    writeFileSync(keyFile, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST'))
      throw new UsageError({ key: 'cli.secret.missing', values: { path: keyFile } });
  }
  return {
    ...{ access: { kind: 'key', secret: readSecretFile(keyFile) }, token },
    remembered: { kind: 'key-file', path: keyFile },
  };
}
