import type { Said } from '../../strings/phrase.ts';
import { sayPhrase } from '../say.ts';
import type { Environment, OutStream } from './process.ts';

/** The version of the JSON lines: grows where a field changes its meaning or goes; further ones leave it. */
export const jsonVersion = 1;

/** What one JSON line says besides its version and time. `event` names its shape (docs/automation.md). */
interface JsonEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Where the command speaks: results on standard output, all else on standard error. */
export interface Output {
  readonly json: boolean;
  /** A result for people, a line; nothing with `--json`. */
  result(said: Said): void;
  /** One object of the JSON lines, on standard output; nothing without `--json`. */
  event(event: JsonEvent): void;
  /** Anything that is no result: steps, hints, errors. On standard error. */
  tell(said: Said): void;
  /**
   * How far something is: overwritten on a terminal; elsewhere a line whenever `step`, a coarse name of it,
   * is another.
   */
  progress(line: string, step: string): void;
  /** Whether a person looks on, who may be asked. */
  readonly isTerminal: boolean;
  /** Whether a person sees all that is said, results included. */
  readonly isWatched: boolean;
  /** Bold on a terminal that shows it. */
  bold(text: string): string;
}

interface OutputOptions {
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly stdin: { readonly isTTY?: boolean };
  readonly env: Environment;
  readonly json: boolean;
  /** ms since the epoch. */
  readonly now: () => number;
}

const clearLine = '\r\u001b[2K';

export function createOutput({ stdout, stderr, stdin, env, json, now }: OutputOptions): Output {
  const isShown = stderr.isTTY === true && env.TERM !== 'dumb';
  // https://no-color.org: any value but an empty one.
  const isStyled = isShown && !env.NO_COLOR;
  let open = false;
  let lastStep = '';

  function close(): void {
    if (open) stderr.write(clearLine);
    open = false;
  }

  return {
    json,
    isTerminal: stdin.isTTY === true && stderr.isTTY === true,
    isWatched: !json && [stdin, stdout, stderr].every(({ isTTY }) => isTTY === true),
    result: (said) => {
      if (json) return;
      close();
      stdout.write(`${plain(sayPhrase(said))}\n`);
    },
    event: (event) => {
      if (!json) return;
      stdout.write(
        `${JSON.stringify({ version: jsonVersion, at: new Date(now()).toISOString(), ...event })}\n`,
      );
    },
    tell: (said) => {
      close();
      stderr.write(`${plain(sayPhrase(said))}\n`);
    },
    progress: (line, step) => {
      if (isShown) {
        const columns = stderr.columns ?? 80;
        stderr.write(`${clearLine}${plain(line).slice(0, columns - 1)}`);
        open = true;
      } else if (step !== lastStep) stderr.write(`${plain(line)}\n`);
      lastStep = step;
    },
    bold: (text) => (isStyled ? `\u001b[1m${text}\u001b[22m` : text),
  };
}

/** A name must not steer the terminal. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
}
