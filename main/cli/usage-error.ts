import { resolve } from 'node:path';
import type { Phrase } from '../../strings/phrase.ts';

/** A call that can't be carried out as it was given: what about it, in words. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly phrase: Phrase;

  constructor(phrase: Phrase) {
    super(phrase.key);
    this.phrase = phrase;
  }
}

/**
 * Adds an argument to the absolute paths of those before it. Throws `UsageError` for an empty one (a shell
 * variable that isn't set): it would mean the current folder.
 */
export function addPath(argument: string, previous: readonly string[] = []): readonly string[] {
  if (argument === '')
    throw new UsageError({ key: 'cli.usage.missingArgument', values: { argument: 'path' } });
  return [...previous, resolve(argument)];
}
