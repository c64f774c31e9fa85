import type { Enumeration, Phrase, PhraseWords } from './phrase.ts';
import { isKey, type Key, type Voice } from './say.ts';

/** Subject of an error: one or several paths, addresses or IDs, or a phrase. */
export type Subject = string | Phrase | Enumeration;

/** An error without text, to be stored or sent to another process. */
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
    /** Message and advice. */
    errorWords: (error: PlainError): string => `${errorMessage(error)} ${errorAdvice(error)}`,
  };
}

/** A later version may have added the code. */
function keyOf(code: string, words: 'message' | 'advice'): Key {
  const key = `errors.${code}.${words}`;
  return isKey(key) ? key : `errors.internal.${words}`;
}
