import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRule, sampleWatch } from '../../../../../gallery/samples/sample-watch.ts';
import type { ErrorRecord } from '../../../../../preload/contract.ts';
import {
  draftOfRule,
  isShared,
  linesOf,
  looksLikeNetworkDrive,
  nameOfDraft,
  newWatchDraft,
  type WatchDraft,
  withPreset,
  withUnit,
} from '../../../../../renderer/state/watch/watch-draft.ts';
import { exampleName, unknownToken } from '../../../../../renderer/state/watch/watch-name.ts';
import {
  presetOf,
  type WatchPreset,
  watchPresets,
} from '../../../../../renderer/state/watch/watch-presets.ts';
import { fieldOfError, watchProblems } from '../../../../../renderer/state/watch/watch-problems.ts';
import { dryRunRuleOf, ruleOf } from '../../../../../renderer/state/watch/watch-rule.ts';
import { kinds } from '../../../../../shared/kinds.ts';

const blank = newWatchDraft('a', 'account');
const whole: WatchDraft = { ...blank, folder: '/srv/uav', assetType: '3DTILES', sourceType: '3D_CAPTURE' };
const fields = (part: Partial<WatchDraft>) => [...watchProblems({ ...whole, ...part }).keys()];
const error = (code: ErrorRecord['code'], field?: string): ErrorRecord => ({
  code,
  retryable: false,
  ...(field === undefined ? {} : { field }),
});

function preset(sourceType: string): WatchPreset {
  const found = watchPresets.find((one) => one.sourceType === sourceType);
  if (!found) throw new Error(`There is no preset for ${sourceType}.`);
  return found;
}

describe('the draft of a watched folder', () => {
  it('asks for a folder and a kind of data, and for nothing more', () => {
    expect([...watchProblems(blank).keys()]).toEqual(['folder', 'kind']);
    expect(ruleOf(blank)).toBeNull();
    expect(fields({})).toEqual([]);
  });

  it('becomes a rule that leaves everything in place and asks before it hurries', () => {
    expect(ruleOf(whole)).toEqual({
      id: 'a',
      name: 'uav',
      folder: '/srv/uav',
      accountId: 'account',
      unit: { kind: 'entries' },
      readyWhen: { kind: 'settled' },
      checksums: 'verify',
      hold: 'will-fail',
      kindFrom: 'rule',
      assetType: '3DTILES',
      sourceType: '3D_CAPTURE',
      clampToTerrain: false,
      baseTerrainId: null,
      options: '{}',
      namePattern: '{name}',
      description: '',
      ignore: [],
      settleSeconds: null,
      whenChanged: 'hold',
      afterSuccess: { kind: 'leave' },
      afterFailure: { kind: 'leave' },
      whenTooLong: 'hold',
      whenExpired: 'wait',
      cloudFiles: 'leave',
      mountMarker: null,
      shared: false,
      alerts: { failed: false, waitingHours: null, silentDays: null, signedOut: false },
      receiptFile: { kind: 'none' },
      on: true,
    });
  });

  it('comes back from a rule, and goes, as it was', () => {
    for (const { rule } of sampleWatch(0, 'account').folders)
      expect(ruleOf(draftOfRule(rule, true))).toEqual(rule);
    const rare = makeRule({
      id: 'rare',
      name: 'Rare',
      folder: '/srv/with space at its end ',
      unit: { kind: 'files', patterns: ['scans/*.tif', '!old/'] },
      ignore: ['# not these', 'previews/'],
      settleSeconds: 300,
      whenChanged: 'leave',
      whenTooLong: 'upload',
      whenExpired: 'start-again',
      shared: true,
      alerts: { failed: true, waitingHours: 12, silentDays: 3, signedOut: true },
      receiptFile: { kind: 'folder', folder: 'receipts' },
      on: false,
      clampToTerrain: true,
      baseTerrainId: 7,
      options: '{"own":[1],"textureFormat":"WEBP","position":[13.4,52.5,34]}',
    });
    expect(ruleOf(draftOfRule(rare, false))).toEqual(rare);
  });

  it('is called like its folder until it is given a name', () => {
    expect(nameOfDraft({ ...whole, folder: 'D:\\Scans\\laz\\' })).toBe('laz');
    expect(nameOfDraft({ ...whole, name: 'Scanner' })).toBe('Scanner');
    expect(fields({ name: ' ' })).toEqual(['name']);
  });

  it('takes a pasted path without its quotes, and a picked one to the letter', () => {
    expect(ruleOf({ ...whole, folder: ' "C:\\My data" ' })?.folder).toBe('C:\\My data');
    expect(ruleOf({ ...whole, folder: '/a ', pickedFolder: '/a ' })?.folder).toBe('/a ');
  });

  it.each(['data', './data', 'C:data', ''])('wants a whole path, which %j is not', (folder) => {
    expect(fields({ folder })).toEqual(['folder']);
  });

  it('is shared with other computers on a network drive, unless someone says otherwise', () => {
    expect(['\\\\nas\\uav', '//nas/uav', '"\\\\nas\\uav"'].map(looksLikeNetworkDrive)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['/srv', 'C:\\data', ''].map(looksLikeNetworkDrive)).toEqual([false, false, false]);
    expect(isShared({ ...whole, isNetworkDrive: true })).toBe(true);
    expect(isShared({ ...whole, isNetworkDrive: true, shared: false })).toBe(false);
  });

  it('asks for clamping only where it means something', () => {
    const clamped = { ...whole, clampToTerrain: true, baseTerrainId: 7 };
    expect(ruleOf(clamped)).toMatchObject({ clampToTerrain: true, baseTerrainId: 7 });
    expect(ruleOf({ ...clamped, assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' })).toMatchObject({
      clampToTerrain: false,
      baseTerrainId: null,
    });
  });
});

describe('a draft for everything that arrives together', () => {
  const together = withUnit(whole, 'batch');

  it('tells its assets apart, unless someone has named them', () => {
    expect(together.namePattern).toBe('{name} {date} {counter}');
    expect(withUnit(together, 'entries').namePattern).toBe('{name}');
    expect(withUnit(together, 'folders').namePattern).toBe('{path}');
    expect(withUnit({ ...whole, namePattern: 'Altona {date}' }, 'batch').namePattern).toBe('Altona {date}');
  });

  it('becomes a rule that waits for no marker, and is read back as itself', () => {
    const rule = ruleOf({ ...together, ready: 'marker' });
    expect(rule).toMatchObject({ unit: { kind: 'batch' }, readyWhen: { kind: 'settled' } });
    expect(rule && draftOfRule(rule, false).unit).toBe('batch');
  });

  it('has an example that is called like the folder', () => {
    const now = new Date(2026, 10, 21).getTime();
    expect(exampleName(together.namePattern, '/srv/altona', now, 'batch')).toBe('altona 2026-11-21 001');
  });
});

describe('the options of the tiling', () => {
  const options = { ...blank.options, textureFormat: 'WEBP', inputCrs: 'EPSG:25833' };

  it('are kept with the rule, those that mean something to its kind of data', () => {
    const draft = { ...whole, options, furtherOptions: '{"own": 1}' };
    expect(JSON.parse(ruleOf(draft)?.options ?? '')).toEqual({
      own: 1,
      inputCrs: 'EPSG:25833',
      textureFormat: 'WEBP',
    });
    expect(ruleOf({ ...draft, sourceType: 'CITYGML' })?.options).toBe('{"own":1,"textureFormat":"WEBP"}');
  });

  it('keep it from being kept where they are no place, no JSON, or said twice', () => {
    expect(fields({ options: { ...options, longitude: '13.7' } })).toEqual(['position']);
    expect(fields({ furtherOptions: '{' })).toEqual(['furtherOptions']);
    expect(fields({ options, furtherOptions: '{"inputCrs":"EPSG:1"}' })).toEqual(['furtherOptions']);
  });

  it('stay as they are when another preset is chosen', () => {
    const draft = { ...whole, options, furtherOptions: '{"own": 1}' };
    expect(withPreset(draft, preset('CITYGML'))).toMatchObject({ options, furtherOptions: '{"own": 1}' });
  });
});

describe('what keeps it from being kept', () => {
  it('is said at the field of what one asset is made of, only where it is chosen', () => {
    expect(fields({ unit: 'files', patterns: ' \n' })).toEqual(['patterns']);
    expect(fields({ unit: 'trigger', trigger: 'sub/_ready' })).toEqual(['trigger']);
    expect(fields({ unit: 'entries', trigger: '', patterns: '' })).toEqual([]);
  });

  it('is a token that does not exist, in the name or in the description', () => {
    expect(unknownToken('{name} {date} {parent} {counter}')).toBeNull();
    expect(fields({ namePattern: '{nane}' })).toEqual(['namePattern']);
    expect(fields({ description: 'Flown on {day}' })).toEqual(['description']);
  });

  it.each([
    ['', true],
    ['90', true],
    ['86400', true],
    ['86401', false],
    ['0', false],
    ['1.5', false],
    ['a minute', false],
  ])('takes a settle time of %j: %s', (settle, taken) => {
    expect(fields({ settle })).toEqual(taken ? [] : ['settle']);
  });

  it('is a folder to move to without a name', () => {
    expect(fields({ success: { kind: 'move', folder: ' ' } })).toEqual(['success']);
    expect(fields({ success: { kind: 'leave', folder: '' } })).toEqual([]);
  });

  it('is CityGML that is to become terrain', () => {
    expect(fields({ sourceType: 'CITYGML', assetType: 'TERRAIN' })).toEqual(['assetType']);
  });
});

describe('an error of main', () => {
  it.each([
    ['watch-folder-missing', undefined, 'folder'],
    ['watch-folder-unreadable', undefined, 'folder'],
    ['path-not-given', 'folder', 'folder'],
    ['path-not-given', 'afterSuccess.folder', 'success'],
    ['path-not-given', 'receiptFile.folder', 'receipt'],
    ['watch-folder-nested', 'folder', 'folder'],
    ['watch-folder-nested', 'afterFailure.folder', 'failure'],
    ['watch-target-unusable', 'afterSuccess.folder', 'success'],
    ['watch-target-unusable', 'afterFailure.folder', 'failure'],
    ['watch-patterns-overlap', undefined, 'patterns'],
    ['watch-pattern-invalid', 'unit.patterns', 'patterns'],
    ['watch-pattern-invalid', 'unit.file', 'trigger'],
    ['watch-pattern-invalid', 'readyWhen.name', 'marker'],
    ['watch-pattern-invalid', 'ignore', 'ignore'],
    ['watch-name-invalid', 'namePattern', 'namePattern'],
    ['watch-name-invalid', 'description', 'description'],
    ['watch-marker-missing', undefined, 'mountMarker'],
    ['source-type-mismatch', undefined, 'assetType'],
    ['journal-full', undefined, null],
  ] as const)('%s (%s) is shown at %s', (code, field, shown) => {
    expect(fieldOfError(error(code, field), { ...whole, unit: 'files' })).toBe(shown);
  });

  it('about a pattern is shown where a rule of folders has its patterns', () => {
    const draft: WatchDraft = { ...whole, unit: 'folders' };
    expect(fieldOfError(error('watch-pattern-invalid', 'unit.patterns'), draft)).toBe('folderPatterns');
  });
});

describe('a preset', () => {
  it('exists for each kind of data once', () => {
    expect(watchPresets.map(({ sourceType }) => sourceType).toSorted()).toEqual(
      kinds.map(({ sourceType }) => sourceType).toSorted(),
    );
    for (const { assetType, sourceType } of kinds) expect(presetOf(assetType, sourceType)).toBeDefined();
  });

  it('fills in a new rule', () => {
    const draft = withPreset(blank, preset('POINT_CLOUD'));
    expect(draft).toMatchObject({ assetType: '3DTILES', unit: 'files', patterns: '*.las\n*.laz' });
    expect(withPreset(draft, preset('RASTER_IMAGERY'))).toMatchObject({
      assetType: 'IMAGERY',
      unit: 'entries',
      namePattern: '{name} {date}',
    });
  });

  it('leaves what was changed by hand', () => {
    const draft = {
      ...withPreset(blank, preset('POINT_CLOUD')),
      patterns: 'scans/*.laz',
      namePattern: 'ALS {name}',
    };
    expect(withPreset(draft, preset('RASTER_IMAGERY'))).toMatchObject({
      patterns: 'scans/*.laz',
      namePattern: 'ALS {name}',
    });
  });

  it('changes of a rule that is kept nothing but the kind of data', () => {
    const { assetType, sourceType, patterns, ...rest } = draftOfRule(
      makeRule({ id: 'a', name: 'A', folder: '/a' }),
      false,
    );
    expect(withPreset({ assetType, sourceType, patterns, ...rest }, preset('POINT_CLOUD'))).toMatchObject(
      rest,
    );
  });
});

describe('a dry run', () => {
  it('is asked for as soon as there is a folder', () => {
    expect(dryRunRuleOf(blank)).toBeNull();
    expect(dryRunRuleOf({ ...blank, folder: '/srv/uav' })).toMatchObject({ folder: '/srv/uav' });
    expect(dryRunRuleOf({ ...whole, unit: 'files', patterns: '' })).toBeNull();
  });

  it('is not asked for again by what it does not depend on', () => {
    const unsaid = { name: 'B', description: '{x}', settle: 'no', furtherOptions: '{' };
    expect(dryRunRuleOf({ ...whole, ...unsaid })).toEqual(dryRunRuleOf(whole));
  });
});

describe('the name of an asset', () => {
  it('has an example with every token filled in', () => {
    const now = new Date(2026, 10, 9, 12).getTime();
    expect(exampleName('{parent} {name} {date} #{counter}', 'D:\\uav\\', now)).toBe(
      'uav Quay_3 2026-11-09 #001',
    );
    expect(exampleName('{nane}', '', now)).toBe('{nane}');
  });
});

describe('lines', () => {
  it('come back as they were, without those that say nothing', () => {
    expect(linesOf('*.laz\r\n\n  \nscans/ \n')).toEqual(['*.laz', 'scans/']);
    const line = fc.stringMatching(/^[^\r\n]*[^\s]$/);
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(linesOf(lines.join('\n'))).toEqual(lines);
      }),
    );
  });
});
