/** What a person has typed or chosen in the sheet, told from what was suggested. */

import type { Draft, SeparateDraft } from './draft.ts';

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

/** The new suggestion with what was typed into the old one; assets are known again by their first path. */
export function keepTyped(next: Draft, draft: Draft, first: Draft): Draft {
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
  return { ...next, ...typed, separate };
}

const idOf = ({ source, sourceType }: SeparateDraft) =>
  `${source.suggestion?.sourceType ?? sourceType} ${source.paths[0]}`;
