import english from './en.json' with { type: 'json' };
import { byteFormats } from './format/bytes.ts';
import { listFormats } from './format/list.ts';
import { numberFormats } from './format/number.ts';
import { placeFormats } from './format/place.ts';
import { timeFormats } from './format/time.ts';
import { british, type Catalogues, type Speech } from './languages.ts';
import { phraseWords } from './phrase.ts';
import { errorWords } from './said-error.ts';
import { createVoice } from './say.ts';

/**
 * The texts of a process: the main process has one, and each page. @param speech returns the current
 * language; called for each text, so that a change needs no new sayer
 */
export function createSayer(catalogues: Catalogues, speech: () => Speech) {
  const voice = createVoice(catalogues, speech);
  const numbers = numberFormats(voice);
  const formats = {
    ...numbers,
    ...byteFormats(voice, numbers),
    ...listFormats(voice),
    ...placeFormats(voice),
    ...timeFormats(voice),
  };
  const phrases = phraseWords(voice, formats);
  const isInTerminal = () => speech().isInTerminal === true;
  return { ...voice, ...formats, ...phrases, ...errorWords(voice, phrases, isInTerminal) };
}

/** English in every language setting: for logs, and for records that outlive a change of language. */
export const inEnglish = createSayer(new Map([['en', english]]), () => british);
