import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldName } from '../../../../main/checked-file.ts';
import { readSettingsFile } from '../../../../main/settings.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const ruleAt = (name: string) => aWatchRule({ id: name, name, folder: join('/data', name) });
const [north, south] = [ruleAt('north'), ruleAt('south')];
const later = { ...ruleAt('later'), unit: { kind: 'moon-phases', phase: 3 }, invented: [1, 2] };
const fields = (stored: unknown) =>
  readSettingsFile({ watchRules: [stored] }).settings.unreadableRules.flatMap(({ problems }) =>
    problems.map(({ path, what }) => [fieldName(path), what.key]),
  );

describe('readSettingsFile()', () => {
  it('reads the other rules if this version can’t read one', () => {
    const { settings } = readSettingsFile({ watchRules: [north, later, south], appearance: 'dark' });
    expect(settings.watchRules).toEqual([north, south]);
    expect(settings.appearance).toBe('dark');
    expect(settings.unreadableRules).toMatchObject([{ name: 'later', folder: '/data/later' }]);
  });

  it('keeps unreadable rules unchanged and in place when saving', () => {
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

  it('removes unreadable rules that the user removed', () => {
    const file = readSettingsFile({ watchRules: [later, north] });
    expect(file.contentOf({ ...file.settings, unreadableRules: [] }).watchRules).toEqual([north]);
  });

  it('reads only the first of two rules with the same ID', () => {
    const { settings } = readSettingsFile({ watchRules: [north, { ...south, id: north.id }] });
    expect(settings.watchRules).toEqual([north]);
    expect(settings.unreadableRules).toMatchObject([{ name: 'south' }]);
  });

  it('reports which field of a rule is invalid, and why', () => {
    expect(fields(later)).toEqual([['unit.kind', 'rulesFile.problem.oneOf']]);
    const { name: _, ...nameless } = north;
    expect(fields(nameless)).toEqual([['name', 'rulesFile.problem.missing']]);
    expect(fields({ ...north, on: 'yes', settleSeconds: 0 })).toEqual([
      ['settleSeconds', 'rulesFile.problem.least'],
      ['on', 'rulesFile.problem.type'],
    ]);
    expect(fields(7)).toEqual([['', 'rulesFile.problem.type']]);
  });

  it('accepts any value in place of the rules', () => {
    for (const watchRules of [null, 'x', {}, [null], [[]]])
      expect(readSettingsFile({ watchRules }).settings.watchRules).toEqual([]);
    expect(readSettingsFile('x').settings.watchRules).toEqual([]);
  });
});
