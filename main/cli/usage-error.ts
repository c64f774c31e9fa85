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
