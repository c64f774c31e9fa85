import type { Enumeration, Phrase, PhraseWords } from './phrase.ts';
import { isKey, type Key, type Voice } from './say.ts';

/** The thing that an error is about: a path, an address, an id; several of them; or words for it. */
export type Subject = string | Phrase | Enumeration;

/** An error as it is kept and crosses borders: what there is to say of it, in no language. */
export interface PlainError {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly subject?: Subject;
}

/** The error's message. */
export function errorPhrase({ code, subject }: PlainError): Phrase {
  return { key: keyOf(code, 'message'), values: { subject: subject ?? { key: 'general.it' } } };
}

/** Texts of an error in the current language. */
export function errorWords(
  { say }: Voice,
  { sayPhrase }: Pick<PhraseWords, 'sayPhrase'>,
  isInTerminal: () => boolean,
) {
  /** The message. */
  const errorMessage = (error: PlainError): string => sayPhrase(errorPhrase(error));
  /** The advice. */
  const errorAdvice = ({ code }: Pick<PlainError, 'code'>): string => {
    const inTerminal = `errors.${code}.adviceInTerminal`;
    return say(isInTerminal() && isKey(inTerminal) ? inTerminal : keyOf(code, 'advice'));
  };
  return {
    errorMessage,
    errorAdvice,
    /** Both. */
    errorWords: (error: PlainError): string => `${errorMessage(error)} ${errorAdvice(error)}`,
  };
}

/** A code that has no words here is of a later version. */
function keyOf(code: string, words: 'message' | 'advice'): Key {
  const key = `errors.${code}.${words}`;
  return isKey(key) ? key : `errors.internal.${words}`;
}
