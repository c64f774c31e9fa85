import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetSeen, essenSource, thousandSource } from '../../../../../gallery/samples/sample-sources.ts';
import type { SeparateSourceView } from '../../../../../preload/contract.ts';
import { type Draft, draftFrom, draftInputs } from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { keepTyped } from '../../../../../renderer/state/new-asset/draft/further-drop.ts';
import {
  bringBack,
  includePiece,
  lacksPosition,
  leaveOutAsset,
  leftOutGroups,
  mergeAssets,
  piecesLeftOut,
  piecesTakenIn,
  separateAsset,
  takeOutPiece,
  withParted,
} from '../../../../../renderer/state/new-asset/draft/proposal.ts';
import { hasTyped, includedByHand } from '../../../../../renderer/state/new-asset/draft/typed.ts';
import { describeContents } from '../../../../../renderer/words/pieces.ts';

const draft = draftFrom(essenSource);
const placesOf = ({ separate }: Pick<Draft, 'separate'>) => separate.map(({ pieces }) => pieces.join(' '));
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a proposal', () => {
  it('a proposal creates an asset for each kind, without ignored files', () => {
    const inputs = draftInputs(essenSource, draft, false);
    expect(inputs.map(({ pieces, sourceType }) => [sourceType, pieces])).toEqual([
      ['RASTER_IMAGERY', [0]],
      ['POINT_CLOUD', [1]],
      ['3D_MODEL', [2]],
      ['CITYGML', [3]],
    ]);
    expect(piecesLeftOut(essenSource, draft)).toEqual([4, 5]);
    expect(
      draftInputs(
        essenSource,
        { ...draft, split: false, name: 'x', assetType: '3DTILES', sourceType: 'KML' },
        false,
      ),
    ).toMatchObject([{ pieces: [0, 1, 2, 3] }]);
    expect(draftInputs(thousandSource, draftFrom(thousandSource), false)).toHaveLength(1_001);
  });

  it('a proposal describes the content of each asset', () => {
    const [imagery, , model] = essenSource.pieces;
    expect(plain(describeContents(imagery ? [imagery] : []))).toBe('24 .tif with .tfw, .aux.xml · 12.1 GB');
    expect(plain(describeContents(model ? [model] : []))).toBe('kirche.obj with 12 .jpg, .mtl · 640.0 MB');
  });

  it('a proposal marks assets without a position', () => {
    const withoutContext = (draftNow: Draft, assets = essenSource.assets) =>
      draftNow.separate
        .filter((item) => lacksPosition(item, assets[item.group ?? -1], draftNow))
        .map(({ name }) => name);
    expect(withoutContext(draft)).toEqual(['Kirche St. Marien']);
    const at = { longitude: '7,01', latitude: '51.45', height: '30' };
    const placedDraft: Draft = { ...draft, options: { ...draft.options, ...at } };
    expect(withoutContext(placedDraft)).toEqual([]);
    expect(withoutContext({ ...placedDraft, options: { ...placedDraft.options, height: '' } })).toHaveLength(
      1,
    );
    expect(withoutContext({ ...draft, options: { ...draft.options, inputCrs: 'EPSG:25832' } })).toEqual([]);
    expect(withoutContext({ ...draft, furtherOptions: '{ "position": [7, 51, 0] }' })).toEqual([]);
    const namedAssets = essenSource.assets.map(({ group }) => assetSeen(group, 1, 'EPSG:25832'));
    expect(withoutContext(draft, namedAssets)).toEqual([]);
  });

  it('a proposal can be changed by hand', () => {
    const mergedAssets = mergeAssets(draft, 0, 1, essenSource);
    expect(placesOf(mergedAssets)).toEqual(['0 1', '2', '3']);
    expect(mergedAssets.separate[0]).toMatchObject({
      sourceType: 'RASTER_IMAGERY',
      source: { fileCount: 90 },
    });
    expect(placesOf(separateAsset(mergedAssets, 0, essenSource))).toEqual(['0', '1', '2', '3']);
    expect(separateAsset(mergedAssets, 0, essenSource).separate[1]?.sourceType).toBe('POINT_CLOUD');
    expect(placesOf(includePiece(draft, 4, 1, essenSource))).toEqual(['0', '1 4', '2', '3']);
    const remainingAssets = leaveOutAsset(draft, 1);
    expect(placesOf(remainingAssets)).toEqual(['0', '2', '3']);
    expect(placesOf(bringBack(remainingAssets, 0))).toEqual(['0', '2', '3', '1']);
  });

  it('a proposal includes and excludes a single ignored file', () => {
    const [document] = essenSource.pieces.slice(4);
    if (!document) throw new Error('nothing is left out');
    const part = { ...document, name: 'Bericht.docx', fileCount: 1, names: ['Bericht/Bericht.docx'] };
    const remainder = { ...document, fileCount: document.fileCount - 1 };
    const source = { ...essenSource, ...withParted(essenSource, { at: 4, rest: remainder, place: 6, part }) };
    const enlarged: Draft = { ...draft, ...includePiece(draft, 6, 1, source) };
    expect(placesOf(enlarged)).toEqual(['0', '1 6', '2', '3']);
    expect(piecesTakenIn(source, enlarged)).toEqual([{ index: 6, piece: part, into: 'Scan Zollverein' }]);
    expect(leftOutGroups(source, enlarged).map(({ places, fileCount }) => [places, fileCount])).toEqual([
      [[4], 1_250],
      [[5], 5],
    ]);
    const back: Draft = { ...draft, ...takeOutPiece(enlarged, 6, source) };
    expect(placesOf(back)).toEqual(placesOf(draft));
    expect(leftOutGroups(source, back)[0]).toMatchObject({ places: [4, 6], fileCount: 1_251 });
    const loneDraft: Draft = { ...draft, ...separateAsset(enlarged, 1, source) };
    expect(placesOf(loneDraft)).toEqual(['0', '1', '6', '2', '3']);
    expect(placesOf(takeOutPiece(loneDraft, 6, source))).toEqual(['0', '1', '2', '3']);
  });

  const move = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat(5), fc.nat(5));
  it('a proposal contains each piece once after any changes', () =>
    fc.assert(
      fc.property(fc.array(move, { maxLength: 20 }), (moves) => {
        let draftNow: Draft = draft;
        for (const [kind, a, b] of moves) {
          const leftOutPieces = piecesLeftOut(essenSource, draftNow);
          const nextAssets =
            kind === 0
              ? leaveOutAsset(draftNow, a)
              : kind === 1
                ? bringBack(draftNow, a)
                : kind === 2
                  ? mergeAssets(draftNow, a, b, essenSource)
                  : kind === 3
                    ? separateAsset(draftNow, a, essenSource)
                    : leftOutPieces[a] !== undefined
                      ? includePiece(draftNow, leftOutPieces[a], b, essenSource)
                      : draftNow;
          draftNow = { ...draftNow, ...nextAssets };
          const allPieces = [...draftNow.separate, ...draftNow.removed].flatMap(({ pieces }) => pieces);
          expect([...allPieces, ...piecesLeftOut(essenSource, draftNow)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
          expect(draftNow.separate.length).toBeGreaterThan(0);
        }
      }),
    ));
});

describe('typed values', () => {
  it('typed values differ from suggestions', () => {
    expect(hasTyped(draft, draft)).toBe(false);
    expect(hasTyped({ ...draft, description: 'x' }, draft)).toBe(true);
    expect(hasTyped({ ...draft, ...leaveOutAsset(draft, 0) }, draft)).toBe(true);
  });

  it('typed values survive a further drop, unlike suggestions', () => {
    const [firstAsset, ...otherAssets] = draft.separate;
    const typedDraft: Draft = {
      ...draft,
      description: 'x',
      separate: firstAsset ? [{ ...firstAsset, name: 'Mine' }, ...otherAssets] : [],
    };
    const nextDraft: Draft = { ...draft, name: 'Other', separate: draft.separate.toReversed() };
    const previous = { source: essenSource, suggestion: draft, draft: typedDraft };
    const keptDraft = keepTyped(nextDraft, { ...essenSource, piecesAgain: [0, 1, 2, 3] }, previous);
    expect([keptDraft.description, keptDraft.name]).toEqual(['x', 'Other']);
    expect(keptDraft.separate.map(({ name }) => name)).toEqual([
      ...['Mine', 'Scan Zollverein', 'Kirche St. Marien', 'LoD2 Altstadt'],
    ]);
  });

  /** Two more pieces: another raster, and the included part of the fourth. */
  const largerSource = {
    ...essenSource,
    paths: ['/data/2026-11 Essen', '/data/b'],
    pieces: [...essenSource.pieces, ...essenSource.pieces.slice(4, 5)],
    piecesAgain: [0, 1, 2, 3, 6, null],
  };
  const placedPieces = (placedDraft: Draft) =>
    placedDraft.separate.map(({ name, pieces }) => `${name}: ${pieces.join(' ')}`);

  it('typed values keep a piece included by hand in its asset', () => {
    const includedAssets = includePiece(draft, 4, 2, essenSource);
    const previousDrop = { source: essenSource, suggestion: draft, draft: { ...draft, ...includedAssets } };
    expect(includedByHand(essenSource, previousDrop.draft)).toEqual([4]);
    expect(placedPieces(keepTyped(draftFrom(largerSource), largerSource, previousDrop))).toEqual([
      ...['DOP20 Essen: 0', 'Scan Zollverein: 1', 'Kirche St. Marien: 2 6', 'LoD2 Altstadt: 3'],
    ]);
    const goneSource = { ...largerSource, piecesAgain: [0, 1, 2, 3, null, null] };
    expect(placedPieces(keepTyped(draftFrom(goneSource), goneSource, previousDrop))[2]).toBe(
      'Kirche St. Marien: 2',
    );
    // It was excluded again during the request.
    const dropWithout = { ...previousDrop, draft };
    expect(placedPieces(keepTyped(draftFrom(largerSource), largerSource, dropWithout))[2]).toBe(
      'Kirche St. Marien: 2',
    );
  });

  it('typed values move from a single asset to the same data among several', () => {
    const [ownAsset] = draft.separate;
    const loneSource = {
      ...essenSource,
      paths: ownAsset?.source.paths ?? [],
      separate: [],
      suggestSeparate: false,
    };
    const firstDraft = draftFrom(loneSource);
    const source = {
      ...largerSource,
      separate: largerSource.separate.map((assetView, at) =>
        at === 0 ? assetView : movedElsewhere(assetView),
      ),
    };
    const typedDraft = { ...firstDraft, name: 'Mine' };
    const keptDraft = keepTyped(
      draftFrom(source),
      { ...source, piecesAgain: [0] },
      { source: loneSource, suggestion: firstDraft, draft: typedDraft },
    );
    expect(placedPieces(keptDraft)[0]).toBe('Mine: 0');
  });
});

const movedElsewhere = (assetView: SeparateSourceView): SeparateSourceView => ({
  ...assetView,
  paths: ['/data/b'],
});
