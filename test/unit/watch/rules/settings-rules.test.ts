import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettingsFile } from '../../../../main/settings.ts';
import { fieldName } from '../../../../main/watch/rules/rules-file.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const ruleAt = (name: string) => aWatchRule({ id: name, name, folder: join('/data', name) });
const [north, south] = [ruleAt('north'), ruleAt('south')];
const later = { ...ruleAt('later'), unit: { kind: 'moon-phases', phase: 3 }, invented: [1, 2] };
const fields = (stored: unknown) =>
  readSettingsFile({ watchRules: [stored] }).settings.unreadableRules.flatMap(({ problems }) =>
    problems.map(({ path, what }) => [fieldName(path), what.key]),
  );

describe('rules in the settings file', () => {
  it('that this version can’t read leave the others alone', () => {
    const { settings } = readSettingsFile({ watchRules: [north, later, south], appearance: 'dark' });
    expect(settings.watchRules).toEqual([north, south]);
    expect(settings.appearance).toBe('dark');
    expect(settings.unreadableRules).toMatchObject([{ name: 'later', folder: '/data/later' }]);
  });

  it('stay in the file as they are and where they are, whatever is saved', () => {
    const file = readSettingsFile({ watchRules: [north, later, 'torn', south] });
    const changed = {
      ...file.settings,
      watchRules: [{ ...north, on: false }, south],
      language: 'de',
    } as const;
    expect(file.contentOf(changed)).toMatchObject({
      language: 'de',
      watchRules: [{ ...north, on: false }, later, 'torn', south],
    });
    expect(file.contentOf(changed)).not.toHaveProperty('unreadableRules');
  });

  it('are gone from it once a person has removed them', () => {
    const file = readSettingsFile({ watchRules: [later, north] });
    expect(file.contentOf({ ...file.settings, unreadableRules: [] }).watchRules).toEqual([north]);
  });

  it('of one id are one rule: the second is not read', () => {
    const { settings } = readSettingsFile({ watchRules: [north, { ...south, id: north.id }] });
    expect(settings.watchRules).toEqual([north]);
    expect(settings.unreadableRules).toMatchObject([{ name: 'south' }]);
  });

  it('say which field can’t be read, and why', () => {
    expect(fields(later)).toEqual([['unit.kind', 'rulesFile.problem.oneOf']]);
    const { name: _, ...nameless } = north;
    expect(fields(nameless)).toEqual([['name', 'rulesFile.problem.missing']]);
    expect(fields({ ...north, on: 'yes', settleSeconds: 0 })).toEqual([
      ['settleSeconds', 'rulesFile.problem.least'],
      ['on', 'rulesFile.problem.type'],
    ]);
    expect(fields(7)).toEqual([['', 'rulesFile.problem.type']]);
  });

  it('may be anything at all', () => {
    for (const watchRules of [null, 'x', {}, [null], [[]]])
      expect(readSettingsFile({ watchRules }).settings.watchRules).toEqual([]);
    expect(readSettingsFile('x').settings.watchRules).toEqual([]);
  });
});
