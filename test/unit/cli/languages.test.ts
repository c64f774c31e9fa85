import { expect, it } from 'vitest';
import { languagesOf } from '../../../main/cli/languages.ts';

it.each([
  [{ LANG: 'de_DE.UTF-8' }, ['de_DE']],
  [{ LC_ALL: 'de_AT@euro', LANG: 'en_GB.UTF-8' }, ['de_AT']],
  [{ LANG: 'fr_FR', LANGUAGE: 'de:en' }, ['de', 'en', 'fr_FR']],
  [{ LANG: 'C', LANGUAGE: 'de' }, []],
  [{ LANG: 'C.UTF-8' }, []],
])('languagesOf() reads %o', (environment, expected) => expect(languagesOf(environment)).toEqual(expected));

it('languagesOf() uses the system’s languages if the environment names none', () => {
  expect(languagesOf({})).toHaveLength(1);
});
