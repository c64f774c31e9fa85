import { type ExitCode, exitCodes } from './exit-codes.ts';

/** The exit code after a signal or a timeout. */
export function exitCodeWhenStopped(stop: AbortSignal): ExitCode {
  if (isTimeout(stop.reason)) return exitCodes.givenUp;
  return stop.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}

/** Whether `AbortSignal.timeout` is the cause. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
