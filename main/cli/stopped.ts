import { type ExitCode, exitCodes } from './exit-codes.ts';

/** The exit code of a run that a signal has stopped; its name is the reason. */
export function stopped(stop: AbortSignal): ExitCode {
  return stop.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}
