import pino from 'pino';
import { createStream } from 'rotating-file-stream';
import { keepPrivate } from './private-files.ts';
import { redact, redactedMark, secretNames } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;
type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Redacts by key and by shape. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Adds a scope to its lines, for example `account`. */
  child(scope: string): Log;
}

export interface FileLog extends Log {
  /** Later lines are dropped. */
  dispose(): Promise<void>;
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};

export const logFileName = 'tilelift.log';

/** Rotated files, without the current one. */
const olderFiles = 4;
const depthLimit = 8;
/** Redacting long texts takes time. */
const maxText = 32 * 1024;
const secretKeys: ReadonlySet<string> = new Set(secretNames.map((name) => name.toLowerCase()));

/** Omits secrets, converts errors with their causes to records, cuts cycles and deep nesting. */
export function censor(value: unknown, ancestors: readonly unknown[] = []): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') {
    return cleanText(String(value));
  }
  if (value === null || typeof value !== 'object') return value;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= depthLimit) return '[deep]';
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => censor(item, path));
  if (value instanceof Error) return censorError(value, path);
  if (value instanceof URL) return cleanText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return censorRecord(value, path);
}

function cleanText(text: string): string {
  const omittedLength = text.length - maxText;
  return omittedLength > 0 ? `${redact(text.slice(0, maxText))}… (${omittedLength} more)` : redact(text);
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
        ? redactedMark
        : censor(value, path),
    ]),
  );
}

/** Lines are JSON objects. Times are ms since the epoch. */
export function createLogTo(write: (line: string) => void, level: LogLevel): Log {
  const wrap = (logger: pino.Logger): Log => {
    const logAt = (name: LogLevel) => (fields: LogFields, message: string) => {
      if (logger.isLevelEnabled(name)) logger[name](censor(fields), cleanText(message));
    };
    return {
      debug: logAt('debug'),
      info: logAt('info'),
      warn: logAt('warn'),
      error: logAt('error'),
      child: (scope) => wrap(logger.child({ scope })),
    };
  };
  return wrap(pino({ level, base: null }, { write }));
}

/**
 * At most five private files of 5 MB. Logging never stops the application: after a write error, printed to
 * stderr, lines are dropped.
 */
export function createLog({ folder, level }: { folder: string; level: LogLevel }): FileLog {
  keepPrivate(folder, (name) => name.startsWith(logFileName));
  const file = createStream(logFileName, { path: folder, size: '5M', rotate: olderFiles, mode: 0o600 });
  let isUsable = true;
  file.on('error', (error) => {
    if (isUsable) process.stderr.write(`The log can’t be written: ${error.message}\n`);
    isUsable = false;
  });
  const log = createLogTo((line) => {
    if (isUsable) file.write(line);
  }, level);
  return {
    ...log,
    dispose: () =>
      new Promise((resolve) => {
        if (!isUsable) {
          resolve();
          return;
        }
        isUsable = false;
        file.once('error', () => resolve());
        file.end(() => resolve());
      }),
  };
}
