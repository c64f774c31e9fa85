import { type ExitCode, exitCodes } from './exit-codes.ts';

/** The exit code after a signal. */
export function stopped(stop: AbortSignal): ExitCode {
  return stop.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}
