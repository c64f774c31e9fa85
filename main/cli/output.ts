import type { Said } from '../../strings/phrase.ts';
import { sayPhrase } from '../say.ts';
import type { Environment, OutStream } from './process.ts';

/** Increase when a field of the JSON lines changes its meaning or is removed. */
export const jsonVersion = 1;

/** `event` selects the schema (docs/cli.md). */
interface JsonEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Results go to standard output, everything else to standard error. */
export interface Output {
  readonly json: boolean;
  /** Nothing with `--json`. */
  result(text: Said): void;
  /** Only with `--json`. */
  event(event: JsonEvent): void;
  /** Prints the last JSON line and returns the exit code. */
  end<Code extends number>(exitCode: Code, facts?: Readonly<Record<string, unknown>>): Code;
  /** Errors and what needs attention, on standard error. */
  print(text: Said): void;
  /** Steps and hints, on standard error. Nothing with `--quiet`. */
  note(text: Said): void;
  /**
   * Overwrites the line on a terminal, otherwise prints changed steps. Nothing with `--quiet`.
   */
  progress(line: string, step: string): void;
  /** Whether a user can answer questions. */
  readonly isTerminal: boolean;
  /** Whether a user sees the whole output. */
  readonly isWatched: boolean;
  bold(text: string): string;
}

interface OutputOptions {
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly stdin: { readonly isTTY?: boolean };
  readonly env: Environment;
  readonly json: boolean;
  readonly isQuiet?: boolean;
  /** ms since the epoch. */
  readonly clock: () => number;
}

const clearLine = '\r\u001b[2K';

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, stdin, env, json, isQuiet = false, clock } = options;
  const isShown = stderr.isTTY === true && env.TERM !== 'dumb';
  // https://no-color.org: any value but an empty one.
  const isStyled = isShown && !env.NO_COLOR;
  let hasOpenLine = false;
  let lastStep = '';

  function clearProgress(): void {
    if (hasOpenLine) stderr.write(clearLine);
    hasOpenLine = false;
  }

  function print(text: Said): void {
    clearProgress();
    stderr.write(`${withoutMarkup(sayPhrase(text))}\n`);
  }

  function event(event: JsonEvent): void {
    if (!json) return;
    const line = { version: jsonVersion, at: new Date(clock()).toISOString(), ...event };
    stdout.write(`${JSON.stringify(line)}\n`);
  }

  return {
    json,
    isTerminal: stdin.isTTY === true && stderr.isTTY === true,
    isWatched: !json && [stdin, stdout, stderr].every(({ isTTY }) => isTTY === true),
    result: (text) => {
      if (json) return;
      clearProgress();
      stdout.write(`${withoutMarkup(sayPhrase(text))}\n`);
    },
    event,
    end: (exitCode, facts = {}) => {
      event({ event: 'result', exitCode, ...facts });
      return exitCode;
    },
    print,
    note: (text) => {
      if (!isQuiet) print(text);
    },
    progress: (line, step) => {
      if (isQuiet) return;
      if (isShown) {
        const columns = stderr.columns ?? 80;
        stderr.write(`${clearLine}${withoutMarkup(line).slice(0, columns - 1)}`);
        hasOpenLine = true;
      } else if (step !== lastStep) stderr.write(`${withoutMarkup(line)}\n`);
      lastStep = step;
    },
    bold: (text) => (isStyled ? `\u001b[1m${text}\u001b[22m` : text),
  };
}

/** Prints a message of the service with its line breaks. */
export function tellRemote(output: Pick<Output, 'print'>, remote: string): void {
  const lines = remote.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/);
  const isOne = lines.length === 1;
  output.print(isOne ? { key: 'cli.serviceSays', values: { remote } } : { key: 'cli.serviceSaysLines' });
  for (const line of isOne ? [] : lines) output.print(`  ${line}`);
}

/** For JSON lines. */
export const isoTime = <Ms extends number | null>(ms: Ms): Ms extends number ? string : string | null =>
  (ms === null ? null : new Date(ms).toISOString()) as never;

/** Names must not control the terminal. */
function withoutMarkup(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
}
