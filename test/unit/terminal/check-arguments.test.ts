import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languagesOf } from '../../../main/cli/languages.ts';
import { readCheckArguments } from '../../../scripts/terminal/check-arguments.ts';

describe('the arguments of a check', () => {
  it('are several paths, with what is wished', () => {
    const args = ['--check', 'a', 'b', '--type', 'point-cloud', '--json', '--strict', '--check=c'];
    expect(readCheckArguments(args)).toEqual({
      ...{ paths: ['a', 'c', 'b'].map((path) => resolve(path)), sourceTypes: ['POINT_CLOUD'] },
      ...{ json: true, strict: true },
    });
  });

  it.each([
    ['no path', ['--check'], 'check.usage.option'],
    ['an empty path', ['--check', ''], 'check.usage.path'],
    ['an unknown type', ['--check', 'a', '--type', 'mesh'], 'check.usage.type'],
    ['an unknown option', ['--check', 'a', '--loud'], 'check.usage.option'],
  ])('are refused with %s', (_what, args, key) => {
    expect(readCheckArguments(args)).toMatchObject({ wrong: { key } });
  });
});

describe('the languages of a terminal', () => {
  it.each([
    [{ LANG: 'de_DE.UTF-8' }, ['de_DE']],
    [{ LC_ALL: 'de_AT@euro', LANG: 'en_GB.UTF-8' }, ['de_AT']],
    [{ LANG: 'fr_FR', LANGUAGE: 'de:en' }, ['de', 'en', 'fr_FR']],
    [{ LANG: 'C', LANGUAGE: 'de' }, []],
    [{ LANG: 'C.UTF-8' }, []],
  ])('are those of %o', (environment, expected) => {
    expect(languagesOf(environment)).toEqual(expected);
  });

  it('are the system’s where the environment names none', () => {
    expect(languagesOf({})).toHaveLength(1);
  });
});
