import { appendFileSync, renameSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLog, createLogTo, type FileLog, type Log } from '../log.ts';
import type { Cli } from './cli.ts';
import { UsageError } from './usage-error.ts';

/**
 * The file of `--log-file`, else the home folder's; with `--verbose` also standard error.
 * @throws UsageError if the file can't be written
 */
export function openLog(cli: Cli, home: string): FileLog {
  const { verbose: isVerbose = false, logFile } = cli.common();
  const level = isVerbose ? 'debug' : 'info';
  const file =
    logFile === undefined ? createLog({ folder: `${home}/logs`, level }) : appendTo(resolve(logFile), level);
  if (!isVerbose) return file;
  return {
    ...combineLogs(
      file,
      createLogTo((line) => cli.stderr.write(line), level),
    ),
    dispose: file.dispose,
  };
}

/**
 * The file of `--log-file`, else standard error.
 * @throws UsageError if the file can't be written
 */
export function openServiceLog(cli: Cli): Log {
  const { verbose: isVerbose = false, quiet: isQuiet = false, logFile } = cli.common();
  const level = isVerbose ? 'debug' : isQuiet ? 'warn' : 'info';
  if (logFile !== undefined) return appendTo(resolve(logFile), level);
  return createLogTo((line) => cli.stderr.write(line), level);
}

/** Bytes of a log file before it becomes `FILE.1`. */
const maxLogBytes = 10_000_000;

function appendTo(path: string, level: 'debug' | 'info' | 'warn'): FileLog {
  // Opens the file for each line, so that other programs may rotate it too.
  const append = (text: string) => {
    try {
      if (statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
    } catch {
      // It is new, or its folder can't be changed.
    }
    appendFileSync(path, text, { mode: 0o600 });
  };
  try {
    append('');
  } catch {
    throw new UsageError({ key: 'cli.rules.notWritten', values: { path } });
  }
  const log = createLogTo((line) => {
    try {
      append(line);
    } catch {
      // A full disk must not stop the upload.
    }
  }, level);
  return { ...log, dispose: async () => {} };
}

const combineLogs = (first: Log, second: Log): Log => ({
  debug: (fields, message) => [first, second].forEach((log) => void log.debug(fields, message)),
  info: (fields, message) => [first, second].forEach((log) => void log.info(fields, message)),
  warn: (fields, message) => [first, second].forEach((log) => void log.warn(fields, message)),
  error: (fields, message) => [first, second].forEach((log) => void log.error(fields, message)),
  child: (scope) => combineLogs(first.child(scope), second.child(scope)),
});
