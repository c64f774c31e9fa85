import { expect, it } from 'vitest';
import german from '../../../strings/de.json' with { type: 'json' };
import english from '../../../strings/en.json' with { type: 'json' };
import { isLonger, pseudo, pseudoCatalogue } from '../../gallery/pseudo-locale.ts';
import { leaves } from './leaves.ts';

it('pseudoCatalogue() makes every message as long as in German, in total and by its longest word', () => {
  const pseudoMessages = leaves(pseudoCatalogue(english, [german]));
  const longerTexts = [...leaves(german)].filter(
    ([key, message]) => !key.startsWith('language.') && isLonger(message, pseudoMessages.get(key) ?? ''),
  );
  expect(longerTexts).toEqual([]);
});

it('pseudoCatalogue() uses the words of a longer translation', () => {
  const catalogue = (word: string) => ({ language: { name: '', locale: '' }, save: word });
  const pseudoOf = (word: string) => pseudoCatalogue(catalogue('Save'), [catalogue(word)]).save;
  expect(pseudoOf('Speichern unter')).toBe('⟦Speichern unter⟧');
  expect(pseudoOf('Ok')).toBe(pseudo('Save'));
});
