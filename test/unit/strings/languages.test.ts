import { expect, it } from 'vitest';
import { catalogues } from '../../../main/say.ts';
import { speechFromAddress, speechInAddress } from '../../../strings/address.ts';
import { chooseSpeech } from '../../../strings/languages.ts';

it('chooseSpeech() selects the system’s first supported language', () => {
  expect(chooseSpeech(catalogues, 'system', ['pt-BR', 'de-AT', 'en-US'])).toEqual({
    language: 'de',
    locale: 'de-AT',
  });
});

it('chooseSpeech() falls back to English', () => {
  expect(chooseSpeech(catalogues, 'system', ['pt-BR'])).toEqual({ language: 'en', locale: 'en-GB' });
  expect(chooseSpeech(catalogues, 'system', [])).toEqual({ language: 'en', locale: 'en-GB' });
});

it('chooseSpeech() selects the user’s language with the system’s locale for it', () => {
  expect(chooseSpeech(catalogues, 'en', ['de-CH', 'en-US'])).toEqual({ language: 'en', locale: 'en-US' });
  expect(chooseSpeech(catalogues, 'de', ['en-US'])).toEqual({ language: 'de', locale: 'de-DE' });
});

it('chooseSpeech() ignores an invalid locale', () => {
  expect(chooseSpeech(catalogues, 'system', ['de_AT'])).toEqual({ language: 'de', locale: 'de-AT' });
  expect(chooseSpeech(catalogues, 'system', ['de-'])).toEqual({ language: 'de', locale: 'de-DE' });
  expect(chooseSpeech(catalogues, 'system', ['C'])).toEqual({ language: 'en', locale: 'en-GB' });
});

it.each([
  { language: 'de', locale: 'de-AT' },
  { language: 'en', locale: 'en-US' },
] as const)('the page’s address carries $locale', (speech) => {
  expect(speechFromAddress(catalogues, `?${speechInAddress(speech)}`)).toEqual(speech);
});

it.each(['', '?language=xx&locale=xx', '?language=&locale=de'])(
  'the page’s address falls back to English for “%s”',
  (query) => expect(speechFromAddress(catalogues, query)).toEqual({ language: 'en', locale: 'en-GB' }),
);

it('the page’s address falls back to the language for an invalid locale', () => {
  expect(speechFromAddress(catalogues, '?language=de&locale=%00')).toEqual({ language: 'de', locale: 'de' });
});
