import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

const maxSecretBytes = 16 * 1024;

const sharedModeBits = 0o077;

/**
 * Refuses files that others own or may read, unless systemd protects them (`madeBySystem`); on Windows the
 * profile's access lists apply.
 * @throws UsageError if unreadable, no file, empty, too large or accessible to others
 */
export function readSecretFile(path: string, madeBySystem = false): string {
  const refuse = (why: SecretRefusal) => new SecretRefused(why, path);
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw refuse('missing');
  }
  try {
    const { mode, uid, size } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > maxSecretBytes) throw refuse('missing');
    const currentUser = process.getuid?.();
    if (!madeBySystem && currentUser !== undefined) {
      if ((mode & sharedModeBits) !== 0) throw refuse('loose');
      if (uid !== currentUser && uid !== 0) throw refuse('foreign');
    }
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') throw refuse('empty');
    return text;
  } finally {
    closeSync(file);
  }
}

export type SecretRefusal = keyof typeof refusals;

/** A secret's file can't be used. */
export class SecretRefused extends UsageError {
  readonly why: SecretRefusal;

  constructor(why: SecretRefusal, path: string) {
    super({ key: refusals[why], values: { path } });
    this.why = why;
  }
}

const refusals = {
  missing: 'cli.secret.missing',
  loose: 'cli.secret.loose',
  foreign: 'cli.secret.foreign',
  empty: 'cli.secret.empty',
} as const;
