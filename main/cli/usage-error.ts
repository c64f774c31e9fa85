import { resolve } from 'node:path';
import type { Phrase } from '../../strings/phrase.ts';

/** Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly phrase: Phrase;

  constructor(phrase: Phrase) {
    super(phrase.key);
    this.phrase = phrase;
  }
}

/** Throws `UsageError` if empty (an unset shell variable), which would mean the current folder. */
export function addPath(argument: string, previous: readonly string[] = []): readonly string[] {
  if (argument === '')
    throw new UsageError({ key: 'cli.usage.missingArgument', values: { argument: 'path' } });
  return [...previous, resolve(argument)];
}
