/** What a person has typed or chosen in the sheet, told from what was suggested. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { includePiece, leaveOutAsset, mergeAssets } from './proposal.ts';

/** Of each draft that a person fills in. */
const fields = [
  ...(['name', 'description', 'assetType', 'sourceType', 'clampToTerrain', 'baseTerrainId'] as const),
  ...(['options', 'furtherOptions', 'leaveTaken', 'decisions'] as const),
];
const ofAsset = ['name', 'assetType', 'sourceType', 'own'] as const;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether the draft differs from the one that was suggested first. */
export function hasTyped(draft: Draft, first: Draft): boolean {
  return (
    [...fields, 'pieces' as const, 'split' as const].some((field) => !isSame(draft[field], first[field])) ||
    draft.removed.length > 0 ||
    !isSame(draft.separate.map(facts), first.separate.map(facts))
  );
}

const facts = ({ name, assetType, sourceType, own, pieces }: SeparateDraft) => ({
  ...{ name, assetType, sourceType, own, pieces },
});

/** Places of the pieces that are left out unless a person puts them into an asset, and did. */
export function includedByHand({ pieces }: SourceView, draft: Draft): readonly number[] {
  const kept = draft.split ? draft.separate.flatMap((one) => one.pieces) : draft.pieces;
  return [...new Set(kept)].filter((at) => pieces[at]?.reason != null);
}

/** What a person saw when they typed and chose. */
export interface Before {
  readonly source: SourceView;
  /** As it was suggested. */
  readonly first: Draft;
  readonly draft: Draft;
  /** Of `includedByHand`, those that were asked about. */
  readonly included: readonly number[];
}

/**
 * The new suggestion for a source with more in it, with what was typed and chosen before: assets are known
 * again by their first path, what was included by hand by `includedAgain` of the source.
 */
export function keepTyped(next: Draft, source: SourceView, before: Before): Draft {
  const { draft, first } = before;
  const typed = Object.fromEntries(
    fields.flatMap((field) => (isSame(draft[field], first[field]) ? [] : [[field, draft[field]]])),
  );
  const firsts = new Map(first.separate.map((one) => [idOf(one), one]));
  const olds = new Map(draft.separate.map((one) => [idOf(one), one]));
  const separate = next.separate.map((one) => {
    const [was, old] = [firsts.get(idOf(one)), olds.get(idOf(one))];
    if (!was || !old) return one;
    const changed = ofAsset.filter((field) => !isSame(old[field], was[field]));
    return { ...one, ...Object.fromEntries(changed.map((field) => [field, old[field]])) };
  });
  const split = draft.split !== first.split && separate.length > 1 ? draft.split : next.split;
  const kept = asOneOfSeveral({ ...next, ...typed, split, separate }, before);
  return withIncluded(withoutRemoved(withMerged(kept, source, before), before), source, before);
}

/** What was one asset alone is one of several now: what was typed for it is that one's. */
function asOneOfSeveral(next: Draft, { source, first, draft }: Before): Draft {
  if (first.split || !next.split) return next;
  const isOld = ({ source: { paths } }: SeparateDraft) =>
    paths.every((path) => source.paths.some((one) => path === one || isBelow(path, one)));
  const [own, ...others] = next.separate.filter(isOld);
  if (!own || others.length > 0) return next;
  const typed = (['name', 'assetType', 'sourceType'] as const).filter(
    (field) => !isSame(draft[field], first[field]),
  );
  const changed = { ...own, ...Object.fromEntries(typed.map((field) => [field, draft[field]])) };
  return { ...next, separate: next.separate.map((one) => (one === own ? changed : one)) };
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder) && /[/\\]/.test(path.charAt(folder.length));

/** Assets that a person merged are merged again. */
function withMerged(next: Draft, source: SourceView, { first, draft }: Before): Draft {
  let merged = next;
  for (const { pieces } of draft.separate) {
    const own = new Set(pieces);
    const parts = first.separate.filter((one) => one.pieces.every((at) => own.has(at))).map(idOf);
    const [into, ...others] = parts;
    for (const other of others) {
      const places = [into, other].map((id) => merged.separate.findIndex((one) => idOf(one) === id));
      const [to = -1, from = -1] = places;
      if (to >= 0 && from >= 0) merged = { ...merged, ...mergeAssets(merged, to, from, source) };
    }
  }
  return merged;
}

/** Assets that a person left out are left out again. */
function withoutRemoved(next: Draft, { draft }: Before): Draft {
  let rest = next;
  for (const one of draft.removed) {
    const at = rest.separate.findIndex((each) => idOf(each) === idOf(one));
    if (at >= 0) rest = { ...rest, ...leaveOutAsset(rest, at) };
  }
  return rest;
}

/** What was included by hand is included again, in the asset that it was in, or the first. */
function withIncluded(next: Draft, source: SourceView, before: Before): Draft {
  const again = source.includedAgain ?? [];
  const still = new Set(includedByHand(before.source, before.draft));
  let whole = next;
  for (const [row, was] of before.included.entries()) {
    const place = again[row];
    if (place == null || !still.has(was)) continue;
    const held = before.draft.split && before.draft.separate.find(({ pieces }) => pieces.includes(was));
    const into = held ? whole.separate.findIndex((one) => idOf(one) === idOf(held)) : 0;
    whole = { ...whole, pieces: [...whole.pieces, place] };
    if (whole.separate.length > 0)
      whole = { ...whole, ...includePiece(whole, place, Math.max(0, into), source) };
  }
  return whole;
}

const idOf = ({ source, sourceType }: SeparateDraft) =>
  `${source.suggestion?.sourceType ?? sourceType} ${source.paths[0]}`;
