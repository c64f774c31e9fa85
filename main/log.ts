import pino from 'pino';
import { createStream } from 'rotating-file-stream';
import { keepPrivate } from './private-files.ts';
import { redact, redacted, secretNames } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;
type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The one way to log. Fields and message are redacted by key and by shape before they are written. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A log whose lines carry this scope, for example `account`. */
  child(scope: string): Log;
}

export interface FileLog extends Log {
  /** Resolves when every line so far is in the file. Nothing is written afterwards. */
  close(): Promise<void>;
}

/** For tests and for callers that want no log. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};

export const logFileName = 'tilelift.log';

/** The file being written and four older ones. */
const olderFiles = 4;
const depthLimit = 8;
/** At most this much of one text is written. One from outside may be long, and redacting takes time. */
const maxText = 32 * 1024;
const secretKeys: ReadonlySet<string> = new Set(secretNames.map((name) => name.toLowerCase()));

/**
 * A copy that is safe to write: values of secret keys are left out, secrets within texts too, errors become
 * plain records with their causes, cycles and great depth are cut.
 */
export function censor(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') {
    return cleanText(String(value));
  }
  if (value === null || typeof value !== 'object') return value;
  if (above.includes(value)) return '[circular]';
  if (above.length >= depthLimit) return '[deep]';
  const path = [...above, value];
  if (Array.isArray(value)) return value.map((item) => censor(item, path));
  if (value instanceof Error) return censorError(value, path);
  if (value instanceof URL) return cleanText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return censorRecord(value, path);
}

function cleanText(text: string): string {
  const rest = text.length - maxText;
  return rest > 0 ? `${redact(text.slice(0, maxText))}… (${rest} more)` : redact(text);
}

function censorError(error: Error, path: readonly unknown[]): unknown {
  return {
    name: error.name,
    message: cleanText(error.message),
    stack: cleanText(error.stack ?? ''),
    ...censorRecord({ ...error }, path),
    ...(error.cause === undefined ? {} : { cause: censor(error.cause, path) }),
  };
}

function censorRecord(record: object, path: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      secretKeys.has(key.toLowerCase()) && value !== null && value !== undefined
        ? redacted
        : censor(value, path),
    ]),
  );
}

/** Gives finished lines, one JSON object each, to `write`. Times are ms since the epoch. */
export function createLogTo(write: (line: string) => void, level: LogLevel): Log {
  const wrap = (logger: pino.Logger): Log => {
    const at = (name: LogLevel) => (fields: LogFields, message: string) => {
      if (logger.isLevelEnabled(name)) logger[name](censor(fields), cleanText(message));
    };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (scope) => wrap(logger.child({ scope })),
    };
  };
  return wrap(pino({ level, base: null }, { write }));
}

/**
 * A log in `folder`: five files of 5 MB at most, the newest being `tilelift.log`, readable by their owner
 * alone. A log that can't be written must not take the application with it: the first failure is said on
 * stderr and lines are dropped from then on.
 */
export function createLog({ folder, level }: { folder: string; level: LogLevel }): FileLog {
  keepPrivate(folder, (name) => name.startsWith(logFileName));
  const file = createStream(logFileName, { path: folder, size: '5M', rotate: olderFiles, mode: 0o600 });
  let usable = true;
  file.on('error', (error) => {
    if (usable) process.stderr.write(`The log can’t be written: ${error.message}\n`);
    usable = false;
  });
  const log = createLogTo((line) => {
    if (usable) file.write(line);
  }, level);
  return {
    ...log,
    close: () =>
      new Promise((resolve) => {
        if (!usable) {
          resolve();
          return;
        }
        usable = false;
        file.once('error', () => resolve());
        file.end(() => resolve());
      }),
  };
}
