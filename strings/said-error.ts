import type { Enumeration, Phrase, PhraseWords, Said } from './phrase.ts';
import { isKey, type Key, type Voice, wants } from './say.ts';

/** The thing that an error is about: a path, an address, an id; several of them; or words for it. */
export type Subject = string | Phrase | Enumeration;

/** An error as it is kept and crosses borders: what there is to say of it, in no language. */
export interface PlainError {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly subject?: Subject;
  /** What happened, as an earlier version said and kept it. */
  readonly message?: string;
}

/** What happened. What earlier versions kept without its subject stays as it was said. */
export function errorPhrase({ code, subject, message }: PlainError): Said {
  const key = keyOf(code, 'message');
  if (message !== undefined && subject === undefined && wants(key, 'subject')) return message;
  return { key, values: { subject: subject ?? { key: 'general.it' } } };
}

/** What is said of an error, in the language that is spoken now. */
export function errorWords(
  { say }: Voice,
  { sayPhrase }: Pick<PhraseWords, 'sayPhrase'>,
  isInTerminal: () => boolean,
) {
  /** What happened. */
  const errorMessage = (error: PlainError): string => sayPhrase(errorPhrase(error));
  /** What to do about it. */
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
