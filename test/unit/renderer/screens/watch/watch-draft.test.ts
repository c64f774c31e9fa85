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
import { aWatchRule } from '../../../../a-watch-rule.ts';

const blank = newWatchDraft('a', 'account');
const completeDraft: WatchDraft = {
  ...blank,
  folder: '/srv/uav',
  assetType: '3DTILES',
  sourceType: '3D_CAPTURE',
};
const fields = (part: Partial<WatchDraft>) => [...watchProblems({ ...completeDraft, ...part }).keys()];
const error = (code: ErrorRecord['code'], field?: string): ErrorRecord => ({
  code,
  retryable: false,
  ...(field === undefined ? {} : { field }),
});

function preset(sourceType: string): WatchPreset {
  const result = watchPresets.find((watchPreset) => watchPreset.sourceType === sourceType);
  if (!result) throw new Error(`There is no preset for ${sourceType}.`);
  return result;
}

it('the draft of a watched folder requires only a folder and a kind of data', () => {
  expect([...watchProblems(blank).keys()]).toEqual(['folder', 'kind']);
  expect(ruleOf(blank)).toBeNull();
  expect(fields({})).toEqual([]);
});

it('the draft of a watched folder becomes a rule that moves nothing and asks before hurrying', () => {
  const usualRule = aWatchRule({ id: 'a', name: 'uav', folder: '/srv/uav', whenChanged: 'hold' });
  expect(ruleOf(completeDraft)).toEqual(usualRule);
});

it('the draft of a watched folder round-trips with a rule', () => {
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

it('the draft of a watched folder uses the folder’s name unless the user sets one', () => {
  expect(nameOfDraft({ ...completeDraft, folder: 'D:\\Scans\\laz\\' })).toBe('laz');
  expect(nameOfDraft({ ...completeDraft, name: 'Scanner' })).toBe('Scanner');
  expect(fields({ name: ' ' })).toEqual(['name']);
});

it('the draft of a watched folder removes quotes from a pasted path, but not from a picked one', () => {
  expect(ruleOf({ ...completeDraft, folder: ' "C:\\My data" ' })?.folder).toBe('C:\\My data');
  expect(ruleOf({ ...completeDraft, folder: '/a ', pickedFolder: '/a ' })?.folder).toBe('/a ');
});

it.each(['data', './data', 'C:data', ''])(
  'the draft of a watched folder requires an absolute path, unlike %j',
  (folder) => {
    expect(fields({ folder })).toEqual(['folder']);
  },
);

it('the draft of a watched folder is shared by default on a network drive', () => {
  expect(['\\\\nas\\uav', '//nas/uav', '"\\\\nas\\uav"'].map(looksLikeNetworkDrive)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['/srv', 'C:\\data', ''].map(looksLikeNetworkDrive)).toEqual([false, false, false]);
  expect(isShared({ ...completeDraft, isNetworkDrive: true })).toBe(true);
  expect(isShared({ ...completeDraft, isNetworkDrive: true, shared: false })).toBe(false);
});

it('the draft of a watched folder sends clamping only when it applies', () => {
  const clamped = { ...completeDraft, clampToTerrain: true, baseTerrainId: 7 };
  expect(ruleOf(clamped)).toMatchObject({ clampToTerrain: true, baseTerrainId: 7 });
  expect(ruleOf({ ...clamped, assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' })).toMatchObject({
    clampToTerrain: false,
    baseTerrainId: null,
  });
});

describe('a draft for everything that arrives together', () => {
  const batchDraft = withUnit(completeDraft, 'batch');

  it('a draft for everything that arrives together distinguishes its assets by name unless the user named them', () => {
    expect(batchDraft.namePattern).toBe('{name} {date} {counter}');
    expect(withUnit(batchDraft, 'entries').namePattern).toBe('{name}');
    expect(withUnit(batchDraft, 'folders').namePattern).toBe('{path}');
    expect(withUnit({ ...completeDraft, namePattern: 'Altona {date}' }, 'batch').namePattern).toBe(
      'Altona {date}',
    );
  });

  it('a draft for everything that arrives together becomes a rule that waits for no marker, and round-trips', () => {
    const rule = ruleOf({ ...batchDraft, ready: 'marker' });
    expect(rule).toMatchObject({ unit: { kind: 'batch' }, readyWhen: { kind: 'settled' } });
    expect(rule && draftOfRule(rule, false).unit).toBe('batch');
  });

  it('a draft for everything that arrives together has an example named like the folder', () => {
    const now = new Date(2026, 10, 21).getTime();
    expect(exampleName(batchDraft.namePattern, '/srv/altona', now, 'batch')).toBe('altona 2026-11-21 001');
  });
});

describe('tiling options of a rule', () => {
  const options = { ...blank.options, textureFormat: 'WEBP', inputCrs: 'EPSG:25833' };

  it('tiling options of a rule are stored if they apply to its kind of data', () => {
    const draft = { ...completeDraft, options, furtherOptions: '{"own": 1}' };
    expect(JSON.parse(ruleOf(draft)?.options ?? '')).toEqual({
      own: 1,
      inputCrs: 'EPSG:25833',
      textureFormat: 'WEBP',
    });
    expect(ruleOf({ ...draft, sourceType: 'CITYGML' })?.options).toBe('{"own":1,"textureFormat":"WEBP"}');
  });

  it('tiling options of a rule block saving with an invalid position, invalid JSON or duplicates', () => {
    expect(fields({ options: { ...options, longitude: '13.7' } })).toEqual(['position']);
    expect(fields({ furtherOptions: '{' })).toEqual(['furtherOptions']);
    expect(fields({ options, furtherOptions: '{"inputCrs":"EPSG:1"}' })).toEqual(['furtherOptions']);
  });

  it('tiling options of a rule stay when another preset is chosen', () => {
    const draft = { ...completeDraft, options, furtherOptions: '{"own": 1}' };
    expect(withPreset(draft, preset('CITYGML'))).toMatchObject({ options, furtherOptions: '{"own": 1}' });
  });
});

it('a draft for a whole folder proposes a marker inside the folder, and withdraws it with another unit', () => {
  const draft = withUnit(completeDraft, 'whole-folder');
  expect(ruleOf(draft)).toMatchObject({
    unit: { kind: 'whole-folder' },
    readyWhen: { kind: 'marker', name: '_ready' },
  });
  expect(ruleOf(withUnit(draft, 'entries'))?.readyWhen).toEqual({ kind: 'settled' });
  expect(ruleOf({ ...draft, marker: '{name}.ok' })).toBeNull();
  expect(withUnit({ ...completeDraft, ready: 'marker', marker: 'done.txt' }, 'whole-folder')).toMatchObject({
    ready: 'marker',
    marker: 'done.txt',
  });
});

it('watchProblems() shows a missing pattern only when patterns apply', () => {
  expect(fields({ unit: 'files', patterns: ' \n' })).toEqual(['patterns']);
  expect(fields({ unit: 'entries', patterns: '' })).toEqual([]);
});

it('watchProblems() reports an unknown token in the name or description', () => {
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
])('watchProblems() validates the settle time %j: %s', (settleText, isTaken) => {
  expect(fields({ settle: settleText })).toEqual(isTaken ? [] : ['settle']);
});

it('watchProblems() requires a name for the folder to move to', () => {
  expect(fields({ success: { kind: 'move', folder: ' ' } })).toEqual(['success']);
  expect(fields({ success: { kind: 'leave', folder: '' } })).toEqual([]);
});

it('watchProblems() reports CityGML as terrain', () => {
  expect(fields({ sourceType: 'CITYGML', assetType: 'TERRAIN' })).toEqual(['assetType']);
});

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
  ['watch-pattern-invalid', 'readyWhen.name', 'marker'],
  ['watch-pattern-invalid', 'ignore', 'ignore'],
  ['watch-name-invalid', 'namePattern', 'namePattern'],
  ['watch-name-invalid', 'description', 'description'],
  ['watch-marker-missing', undefined, 'mountMarker'],
  ['source-type-mismatch', undefined, 'assetType'],
  ['journal-full', undefined, null],
] as const)('fieldOfError() shows %s (%s) at %s', (code, field, shown) => {
  expect(fieldOfError(error(code, field), { ...completeDraft, unit: 'files' })).toBe(shown);
});

it('fieldOfError() shows a pattern error where a rule of folders has its patterns', () => {
  const draft: WatchDraft = { ...completeDraft, unit: 'folders' };
  expect(fieldOfError(error('watch-pattern-invalid', 'unit.patterns'), draft)).toBe('folderPatterns');
});

it('a watch preset exists once for each kind of data', () => {
  expect(watchPresets.map(({ sourceType }) => sourceType).toSorted()).toEqual(
    kinds.map(({ sourceType }) => sourceType).toSorted(),
  );
  for (const { assetType, sourceType } of kinds) expect(presetOf(assetType, sourceType)).toBeDefined();
});

it('a watch preset fills in a new rule', () => {
  const draft = withPreset(blank, preset('POINT_CLOUD'));
  expect(draft).toMatchObject({ assetType: '3DTILES', unit: 'files', patterns: '*.las\n*.laz' });
  expect(withPreset(draft, preset('RASTER_IMAGERY'))).toMatchObject({
    assetType: 'IMAGERY',
    unit: 'entries',
    namePattern: '{name} {date}',
  });
});

it('a watch preset keeps manual changes', () => {
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

it('a watch preset changes only the kind of data of an existing rule', () => {
  const { assetType, sourceType, patterns, ...otherFields } = draftOfRule(
    makeRule({ id: 'a', name: 'A', folder: '/a' }),
    false,
  );
  expect(
    withPreset({ assetType, sourceType, patterns, ...otherFields }, preset('POINT_CLOUD')),
  ).toMatchObject(otherFields);
});

it('a dry run starts as soon as there is a folder', () => {
  expect(dryRunRuleOf(blank)).toBeNull();
  expect(dryRunRuleOf({ ...blank, folder: '/srv/uav' })).toMatchObject({ folder: '/srv/uav' });
  expect(dryRunRuleOf({ ...completeDraft, unit: 'files', patterns: '' })).toBeNull();
});

it('a dry run ignores fields that don’t affect it', () => {
  const unspecified = { name: 'B', description: '{x}', settle: 'no', furtherOptions: '{' };
  expect(dryRunRuleOf({ ...completeDraft, ...unspecified })).toEqual(dryRunRuleOf(completeDraft));
});

it('exampleName() fills in every token', () => {
  const now = new Date(2026, 10, 9, 12).getTime();
  expect(exampleName('{parent} {name} {date} #{counter}', 'D:\\uav\\', now)).toBe(
    'uav Quay_3 2026-11-09 #001',
  );
  expect(exampleName('{nane}', '', now)).toBe('{nane}');
});

it('linesOf() round-trips without empty lines', () => {
  expect(linesOf('*.laz\r\n\n  \nscans/ \n')).toEqual(['*.laz', 'scans/']);
  const line = fc.stringMatching(/^[^\r\n]*[^\s]$/);
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(linesOf(lines.join('\n'))).toEqual(lines);
    }),
  );
});
