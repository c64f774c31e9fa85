import { describe, expect, it } from 'vitest';
import { catalogues } from '../../../main/say.ts';
import { speechFromAddress, speechInAddress } from '../../../strings/address.ts';
import { chooseSpeech } from '../../../strings/languages.ts';

describe('the language to speak', () => {
  it('is the first of the system’s that the catalogue has', () => {
    expect(chooseSpeech(catalogues, 'system', ['pt-BR', 'de-AT', 'en-US'])).toEqual({
      language: 'de',
      locale: 'de-AT',
    });
  });

  it('is English where the system speaks none of them', () => {
    expect(chooseSpeech(catalogues, 'system', ['pt-BR'])).toEqual({ language: 'en', locale: 'en-GB' });
    expect(chooseSpeech(catalogues, 'system', [])).toEqual({ language: 'en', locale: 'en-GB' });
  });

  it('is what the person chose, written as the system writes that language', () => {
    expect(chooseSpeech(catalogues, 'en', ['de-CH', 'en-US'])).toEqual({ language: 'en', locale: 'en-US' });
    expect(chooseSpeech(catalogues, 'de', ['en-US'])).toEqual({ language: 'de', locale: 'de-DE' });
  });

  it('takes no locale that there is not', () => {
    expect(chooseSpeech(catalogues, 'system', ['de_AT'])).toEqual({ language: 'de', locale: 'de-AT' });
    expect(chooseSpeech(catalogues, 'system', ['de-'])).toEqual({ language: 'de', locale: 'de-DE' });
    expect(chooseSpeech(catalogues, 'system', ['C'])).toEqual({ language: 'en', locale: 'en-GB' });
  });
});

describe('the page’s address', () => {
  it.each([
    { language: 'de', locale: 'de-AT' },
    { language: 'en', locale: 'en-US' },
  ] as const)('carries $locale', (speech) => {
    expect(speechFromAddress(catalogues, `?${speechInAddress(speech)}`)).toEqual(speech);
  });

  it.each(['', '?language=xx&locale=xx', '?language=&locale=de'])(
    'means English where it says “%s”',
    (query) => {
      expect(speechFromAddress(catalogues, query)).toEqual({ language: 'en', locale: 'en-GB' });
    },
  );

  it('means the language itself where its locale is nonsense', () => {
    expect(speechFromAddress(catalogues, '?language=de&locale=%00')).toEqual({
      language: 'de',
      locale: 'de',
    });
  });
});
