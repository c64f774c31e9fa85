import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** A key or a token is far shorter. */
const maxSecretBytes = 16 * 1024;

/** Who may read it besides its owner. */
const othersMode = 0o077;

/**
 * The text of a file that holds a secret, without the space around it. One that others may read, or that is
 * another's, is refused, unless the system itself made it (`madeBySystem`: systemd keeps its credentials by
 * lists of its own). Windows goes by the lists of the person's profile.
 * @throws UsageError where it can't be read, is no file, empty, too large or open to others
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
    const own = process.getuid?.();
    if (!madeBySystem && own !== undefined) {
      if ((mode & othersMode) !== 0) throw refuse('loose');
      if (uid !== own && uid !== 0) throw refuse('foreign');
    }
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') throw refuse('empty');
    return text;
  } finally {
    closeSync(file);
  }
}

export type SecretRefusal = keyof typeof refusals;

/** A file that was named for a secret can't be used. */
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
