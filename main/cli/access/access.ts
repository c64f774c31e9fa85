import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { Environment } from '../process.ts';
import { UsageError } from '../usage-error.ts';
import { readSecretFile } from './secret-file.ts';

/**
 * By what the command opens its vault and signs in where there is no keychain. The secret itself lies where
 * someone has put it by name: in the environment, among systemd's credentials, or in a file of mode 0600.
 */

/** What `sign-in` remembers: where the secret is, never the secret. */
const rememberedSchema = z.object({
  version: z.literal(1),
  /** An access token of the account's settings, or the key of the vault that holds a browser's sign-in. */
  kind: z.enum(['token-file', 'key-file']),
  /** Absolute. */
  path: z.string().min(1).max(4_096),
});
type Remembered = z.infer<typeof rememberedSchema>;

/** Names among systemd's credentials (`LoadCredential=tilelift-token:…`). */
const credentialNames = { token: 'tilelift-token', key: 'tilelift-key' } as const;

export type Access =
  /** Also what the vault's key is made of: what it holds is of no use without the same token. */
  | { readonly kind: 'token'; readonly secret: string }
  | { readonly kind: 'key'; readonly secret: string }
  | { readonly kind: 'none' };

const fileOf = (home: string) => join(home, 'access.json');

/**
 * What gives access, in this order: `TILELIFT_TOKEN`, systemd's credentials `tilelift-token` and
 * `tilelift-key`, the file that the last `sign-in` named.
 * @throws UsageError where a named file can't be used
 */
export function readAccess(home: string, env: Environment): Access {
  const token = env.TILELIFT_TOKEN?.trim();
  if (token) return { kind: 'token', secret: token };
  for (const kind of ['token', 'key'] as const) {
    const path = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, credentialNames[kind]);
    if (path && existsSync(path)) return { kind, secret: readSecretFile(path, true) };
  }
  const remembered = readRemembered(home);
  if (!remembered) return { kind: 'none' };
  return {
    kind: remembered.kind === 'token-file' ? 'token' : 'key',
    secret: readSecretFile(remembered.path),
  };
}

/** Null where nothing was named yet. Throws `UsageError` where the file was damaged. */
function readRemembered(home: string): Remembered | null {
  const path = fileOf(home);
  if (!existsSync(path)) return null;
  try {
    return rememberedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError({ key: 'cli.secret.accessDamaged', values: { path } });
  }
}

/** From now on the secret is found there. */
export function rememberAccess(home: string, remembered: Omit<Remembered, 'version'>): void {
  const path = fileOf(home);
  writeWholeSync(path, `${JSON.stringify({ version: 1, ...remembered })}\n`, `${path}.new`, 0o600);
}

/** From now on no file is named. The file itself stays where it is. */
export function forgetAccess(home: string): void {
  rmSync(fileOf(home), { force: true });
}

/** What a sign-in goes by. */
interface AccessToSignIn {
  /** What the vault's key is made of. */
  readonly access: Access;
  /** What later commands are to find; null where that stays as it is. */
  readonly remembered: Omit<Remembered, 'version'> | null;
  /** To sign in with; null for a browser. */
  readonly token: string | null;
}

/**
 * What to sign in with: the files named now, else what `readAccess` finds. A key file that is not there is
 * made, with a new key; with both, the token is kept in the vault that the key opens, so that several
 * accounts find room in one.
 * @throws UsageError where a file can't be used, or nothing is named that could keep a browser's sign-in
 */
export function accessToSignIn(
  home: string,
  env: Environment,
  { tokenFile, keyFile }: { readonly tokenFile?: string; readonly keyFile?: string },
): AccessToSignIn {
  const token = tokenFile === undefined ? null : readSecretFile(tokenFile);
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
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST'))
      throw new UsageError({ key: 'cli.secret.missing', values: { path: keyFile } });
  }
  return {
    ...{ access: { kind: 'key', secret: readSecretFile(keyFile) }, token },
    remembered: { kind: 'key-file', path: keyFile },
  };
}
