import { describe, expect, it } from 'vitest';
import {
  colouredSource,
  doubtfulSource,
  severalSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import type { FindingGroup, SourceView } from '../../../../../preload/contract.ts';
import {
  changesOf,
  type Decisions,
  groupId,
  leftOutCount,
  leftOutKeys,
  type Way,
} from '../../../../../renderer/state/new-asset/draft/decisions.ts';
import {
  type Draft,
  draftFrom,
  draftInputs,
  scopeOfAll,
} from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { describeFindings } from '../../../../../renderer/state/new-asset/draft/findings.ts';

const group = (part: Partial<FindingGroup> & Pick<FindingGroup, 'id'>): FindingGroup => {
  const keys = part.keys ?? ['a.tif', 'b.tif'];
  return { count: keys.length, looked: 10, total: 10, keys, ...part };
};
const sourceWith = (...findings: readonly FindingGroup[]): SourceView => ({ ...doubtfulSource, findings });
const waysOf = (source: SourceView, draft: Draft = draftFrom(source)): readonly (readonly Way[])[] =>
  describeFindings(scopeOfAll(source, draft)).map(({ ways: fixWays }) => fixWays.map(({ way }) => way));
const leaveOut = { kind: 'leave-out' } as const;
const assign = { kind: 'assign', epsg: 25_832 } as const;
const askWay = { kind: 'ask-system' } as const;

it('solutions for a finding match the finding, the likeliest first', () => {
  expect(waysOf(doubtfulSource)).toEqual([
    [leaveOut],
    [assign, askWay, leaveOut],
    [leaveOut],
    [leaveOut],
    ['MEAN_SEA_LEVEL', 'WGS84'].map((value) => ({ kind: 'option', option: 'heightReference', value })),
  ]);
  const [, words] = describeFindings(scopeOfAll(doubtfulSource, draftFrom(doubtfulSource)));
  expect(words?.ways.map(({ label }) => label.replaceAll('\u00a0', ' '))).toEqual([
    'Use EPSG:25832',
    'Assign EPSG…',
    'Leave out 3 files',
  ]);
});

it('solutions for a finding ask for an unknown coordinate system unless the kind of data accepts none', () => {
  const unnamedFinding = group({ id: 'no-system-raster', fix: { kind: 'assign' } });
  expect(waysOf(sourceWith(unnamedFinding))).toEqual([[askWay, leaveOut]]);
  expect(waysOf(sourceWith(group({ id: 'no-system-raster' })))).toEqual([[leaveOut]]);
  const manySource = {
    ...sourceWith({ ...unnamedFinding, count: 5_000 }, { ...unnamedFinding, values: { of: 'x' } }),
    fileCount: 9_000,
  };
  expect(waysOf(manySource)).toEqual([[], [askWay, leaveOut]]);
  const city = sourceWith(group({ id: 'no-system-city', keys: ['a.gml'] }));
  const draft: Draft = { ...draftFrom(city), assetType: '3DTILES', sourceType: 'CITYGML' };
  expect(waysOf(city, draft)).toEqual([[leaveOut]]);
});

it('solutions for a finding use a system named in a sidecar file', () => {
  const fix = { kind: 'assign-wkt', wkt: 'PROJCS["Town grid"]', name: 'Town grid' } as const;
  const source = sourceWith(group({ id: 'no-system-raster', fix }));
  expect(waysOf(source)).toEqual([[fix, askWay, leaveOut]]);
  const [words] = describeFindings(scopeOfAll(source, draftFrom(source)));
  expect(words?.ways[0]?.label.replaceAll('\u00a0', ' ')).toBe('Use Town grid');
  const decisions: Decisions = { [words?.id ?? '']: fix };
  expect(changesOf(source.findings, decisions)).toEqual({
    leftOut: [],
    assigned: [],
    worded: [{ wkt: fix.wkt, files: { keys: ['a.tif', 'b.tif'] } }],
  });
  const [decidedFinding] = describeFindings(scopeOfAll(source, { ...draftFrom(source), decisions }));
  expect(decidedFinding?.decided?.title).toBe('Town grid assigned');
});

it('solutions for a finding switch the kind of data', () => {
  const draft = draftFrom(colouredSource);
  expect(waysOf(colouredSource, draft)).toEqual([[{ kind: 'switch', sourceType: 'RASTER_IMAGERY' }]]);
  const heights = group({
    id: 'imagery-of-heights',
    values: { bands: 1, bits: 32 },
    fix: { kind: 'switch', sourceType: 'RASTER_TERRAIN' },
  });
  const imagery: Draft = { ...draft, sourceType: 'RASTER_IMAGERY' };
  expect(waysOf(sourceWith(heights), imagery)).toEqual([[{ kind: 'switch', sourceType: 'RASTER_TERRAIN' }]]);
});

it('solutions for a finding split the source if it consists of several assets', () => {
  const singleSource = { ...severalSource, suggestSeparate: false };
  expect(waysOf(singleSource)).toEqual([[{ kind: 'split' }]]);
  expect(waysOf({ ...singleSource, separate: [] })).toEqual([[]]);
});

it('solutions for a finding never leave out all files, or files that can’t be listed', () => {
  const wholeSource = { ...sourceWith(group({ id: 'cut-off' })), fileCount: 2 };
  expect(waysOf(wholeSource)).toEqual([[]]);
  const manyFinding = { id: 'cut-off', count: 5_000 } as const;
  const large = { ...sourceWith(group(manyFinding)), fileCount: 9_000 };
  expect(waysOf(large)).toEqual([[leaveOut]]);
  const values = { system: 'EPSG:25832', area: '' };
  const two = sourceWith(
    group({ id: 'outside-area', values, count: 5_000 }),
    group({ id: 'outside-area', values: { ...values, system: 'EPSG:25833' } }),
  );
  expect(waysOf({ ...two, fileCount: 9_000 })).toEqual([[], [leaveOut]]);
  expect(
    waysOf({
      ...sourceWith(group({ id: 'far-away', count: 5_000, values: { kilometres: 2 } })),
      fileCount: 9_000,
    }),
  ).toEqual([[]]);
  expect(waysOf(sourceWith(group({ id: 'mixed-kinds', keys: [], values: { kinds: { list: [] } } })))).toEqual(
    [[]],
  );
});

describe('changesOf()', () => {
  const cutFinding = group({ id: 'cut-off' });
  const unnamedFinding = group({ id: 'no-system-raster', keys: ['b.tif', 'c.tif', 'd.tif'] });
  const groups = [cutFinding, unnamedFinding];
  const decisions: Decisions = { [groupId(cutFinding)]: leaveOut, [groupId(unnamedFinding)]: assign };

  it('changesOf() lists decisions by key', () => {
    expect(changesOf(groups, decisions)).toEqual({
      leftOut: [{ keys: ['a.tif', 'b.tif'] }],
      assigned: [{ epsg: 25_832, files: { keys: ['b.tif', 'c.tif', 'd.tif'] } }],
    });
    const laterFindings = [{ ...cutFinding, count: 3, keys: [...cutFinding.keys, 'z.tif'] }];
    expect(changesOf(laterFindings, decisions)?.leftOut).toEqual([{ keys: ['a.tif', 'b.tif', 'z.tif'] }]);
    expect(changesOf(groups, {})).toBeNull();
  });

  it('changesOf() names the finding when it has more files than the page knows', () => {
    expect(changesOf([{ ...cutFinding, count: 5_000 }], decisions)?.leftOut).toEqual([
      { finding: 'cut-off' },
    ]);
  });

  it('changesOf() keeps decisions on a finding of the whole source when its values change', () => {
    const farFinding = group({ id: 'far-away', values: { kilometres: 431 } });
    expect(groupId(farFinding)).toBe(groupId({ ...farFinding, values: { kilometres: 440 } }));
  });

  it('changesOf() ignores files in archives, which are separate findings', () => {
    const packedFinding = group({ id: 'cut-off', keys: ['data.zip/a.tif'], inArchives: true });
    const plain = group({ id: 'cut-off', keys: ['a.tif'], fix: leaveOut });
    expect(groupId(packedFinding)).not.toBe(groupId(plain));
    const fixWays = waysOf(sourceWith(packedFinding, plain));
    expect(fixWays).toEqual([[], [leaveOut]]);
  });

  it('changesOf() counts each file once', () => {
    const bothDecisions: Decisions = { [groupId(cutFinding)]: leaveOut, [groupId(unnamedFinding)]: leaveOut };
    expect(leftOutCount(groups, bothDecisions)).toBe(4);
    expect([...leftOutKeys(groups, bothDecisions)]).toEqual(['a.tif', 'b.tif', 'c.tif', 'd.tif']);
    expect(leftOutCount([{ ...cutFinding, count: 5_000 }], bothDecisions)).toBe(5_000);
    expect(leftOutCount([{ ...cutFinding, count: 5_000 }, unnamedFinding], bothDecisions)).toBeNull();
    expect(leftOutCount(groups, {})).toBe(0);
  });

  it('changesOf() takes files along once each, whatever examples the finding names', () => {
    const missing = (name: string) =>
      group({
        id: 'missing-files',
        keys: ['a.obj'],
        values: { names: { names: [name] } },
        fix: companionFix,
      });
    const companionFix = { kind: 'take-along', paths: ['/d/a.mtl', '/d/textures/wall.jpg'] } as const;
    const decisions: Decisions = { [groupId(missing('a.mtl'))]: companionFix, 'no-place': companionFix };
    expect(changesOf([missing('wall.jpg')], decisions)).toEqual({
      leftOut: [],
      assigned: [],
      takenAlong: companionFix.paths,
    });
    const source = sourceWith(missing('a.mtl'));
    const [open] = describeFindings(scopeOfAll(source, draftFrom(source)));
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    expect(open?.ways.map(({ label }) => plain(label))).toEqual(['Include 2 files', 'Leave out 1 file']);
    const [words] = describeFindings(scopeOfAll(source, { ...draftFrom(source), decisions }));
    expect(plain(words?.decided?.title ?? '')).toBe('2 files included');
    expect(plain(words?.decided?.detail ?? '')).toBe(
      'From the same folder: a.mtl, wall.jpg. Uploaded with the data; the files on disk stay unchanged.',
    );
  });

  it('changesOf() applies a decision to each asset that shows the finding', () => {
    const draft: Draft = {
      ...draftFrom(doubtfulSource),
      decisions: { [groupId(doubtfulSource.findings[1] ?? cutFinding)]: assign },
    };
    const [input] = draftInputs(doubtfulSource, draft, false);
    expect(input?.changes).toMatchObject({ leftOut: [], assigned: [{ epsg: 25_832 }] });
    const asModel: Draft = { ...draft, assetType: '3DTILES', sourceType: '3D_MODEL' };
    expect(draftInputs(doubtfulSource, asModel, false)[0]).not.toHaveProperty('changes');
  });

  it('changesOf() applies a decision to its own asset only', () => {
    const assets = severalSource.assets.map((asset) => ({ ...asset, findings: [cutFinding] }));
    const severalView = { ...severalSource, assets };
    const plain = draftFrom(severalView);
    const separate = plain.separate.map((item) =>
      item.group === 2 ? { ...item, decisions: { [groupId(cutFinding)]: leaveOut } } : item,
    );
    const inputs = draftInputs(severalView, { ...plain, separate }, false);
    expect(inputs.map(({ changes }) => changes?.leftOut)).toEqual([
      ...[undefined, undefined],
      [{ keys: ['a.tif', 'b.tif'] }],
      undefined,
    ]);
  });
});
