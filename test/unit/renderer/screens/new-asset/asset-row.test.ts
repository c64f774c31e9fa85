import { expect, it } from 'vitest';
import { assetSeen } from '../../../../../gallery/samples/sample-sources.ts';
import {
  failingMixtureSource,
  fineMixtureSource,
  siteSource,
} from '../../../../../gallery/samples/sources/sample-mixture.ts';
import type { FindingGroup, SourceView } from '../../../../../preload/contract.ts';
import {
  describeSystem,
  isLikelyToFail,
  stateOf,
} from '../../../../../renderer/state/new-asset/draft/asset-row.ts';
import { groupId } from '../../../../../renderer/state/new-asset/draft/decisions.ts';
import { type Draft, draftFrom, scopesOf } from '../../../../../renderer/state/new-asset/draft/draft.ts';

const plain = (text: string | null | undefined) => text?.replaceAll('\u00a0', ' ') ?? null;

/** Name, coordinate system and state of each row. */
function rowsOf(source: SourceView, draft: Draft = draftFrom(source)) {
  const scopes = scopesOf(source, draft);
  return draft.separate.map((asset, at) => {
    const [scope, seenFacts] = [scopes[at], source.assets.find(({ group }) => group === asset.group)];
    if (!scope) throw new Error('a row has no scope');
    const state = stateOf(asset, scope, seenFacts);
    return [asset.name, plain(describeSystem(seenFacts, scope)), plain(state?.words), state?.tone ?? null];
  });
}

const [missing] = failingMixtureSource.assets[0]?.findings ?? [];
const decideInFirst = (kind: 'assign' | 'leave-out'): Draft => {
  const draft = draftFrom(failingMixtureSource);
  const decision = kind === 'assign' ? { kind, epsg: 25832 } : { kind };
  const decisions = { [groupId(missing as FindingGroup)]: decision };
  return { ...draft, separate: draft.separate.map((item, at) => (at === 0 ? { ...item, decisions } : item)) };
};

it('an asset row shows only findings in its own files', () => {
  expect(rowsOf(failingMixtureSource)).toEqual([
    ['Delivery 2026-11 · Ortho', '1 of 3 files has EPSG:25832', '2 likely to fail', 'error'],
    ['Delivery 2026-11 · DTM 1 m', 'EPSG:25832', '1 may look different', 'waiting'],
    ['Delivery 2026-11 · Flight', null, 'Fine', 'fine'],
    ['Delivery 2026-11 · Point cloud', 'EPSG:25832 + EPSG:7837', 'Fine', 'fine'],
    ['Delivery 2026-11 · LoD2 buildings', 'EPSG:25832', 'Already asset 20011', 'known'],
  ]);
  expect(rowsOf(fineMixtureSource).map(([, , words]) => words)).toEqual(Array(5).fill('Fine'));
});

it('an asset row shows the assigned system of all its files, and of those left', () => {
  const assignedSystem = rowsOf(failingMixtureSource, decideInFirst('assign'))[0];
  // A system alone doesn't place a raster.
  expect(assignedSystem).toEqual([
    'Delivery 2026-11 · Ortho',
    'EPSG:25832',
    '1 may look different',
    'waiting',
  ]);
  const leftOut = rowsOf(failingMixtureSource, decideInFirst('leave-out'))[0];
  expect(leftOut).toEqual(['Delivery 2026-11 · Ortho', 'EPSG:25832', 'Fine', 'fine']);
});

it('an asset row shows a likely failure until the user decides', () => {
  const failingFlags = (draft: Draft) => scopesOf(failingMixtureSource, draft).map(isLikelyToFail);
  expect(failingFlags(draftFrom(failingMixtureSource))).toEqual([true, false, false, false, false]);
  expect(failingFlags(decideInFirst('assign')).some(Boolean)).toBe(false);
});

it('an asset row shows no success for files that were not read completely', () => {
  const archive = { degree: 'names-only', count: 1, examples: ['a.zip'] } as const;
  const assets = fineMixtureSource.assets.with(4, { ...assetSeen(4, 0), degrees: [archive] });
  expect(rowsOf({ ...fineMixtureSource, assets })[4]).toEqual([
    'Delivery 2026-11 · LoD2 buildings',
    null,
    null,
    null,
  ]);
});

it('an asset row counts a file with two findings once', () => {
  const cutFinding: FindingGroup = {
    id: 'cut-off',
    count: 1,
    looked: 3,
    total: 3,
    keys: ['ortho/ortho_02.tif'],
  };
  const [ortho, ...otherAssets] = failingMixtureSource.assets;
  if (!ortho) throw new Error('there is no first asset');
  const assets = [{ ...ortho, findings: [cutFinding, ...ortho.findings] }, ...otherAssets];
  expect(rowsOf({ ...failingMixtureSource, assets })[0]?.[2]).toBe('2 likely to fail');
});

it('an asset row marks folders that are already assets', () => {
  expect(rowsOf(siteSource).filter(([, , , tone]) => tone === 'known')).toHaveLength(28);
});
