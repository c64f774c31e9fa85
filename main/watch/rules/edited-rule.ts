import { setImmediate } from 'node:timers/promises';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { leaveSources, wantAssets } from '../state/choices.ts';
import { type Decision, decide } from '../state/decide.ts';
import type { Ledger } from '../state/ledger/ledger-model.ts';
import { type KnownRows, sightingOf } from '../state/source-context.ts';

/** These don't affect which sources a rule finds. */
const aside: ReadonlySet<string> = new Set<keyof WatchRule>([
  'id',
  'name',
  'accountId',
  'on',
  'shared',
  'settleSeconds',
  'hold',
  'whenChanged',
  'whenTooLong',
  'whenExpired',
  'assetType',
  'sourceType',
  'clampToTerrain',
  'baseTerrainId',
  'options',
  'namePattern',
  'description',
  'alerts',
  'mountMarker',
]);

/** Fields not listed as harmless count. */
function findsOtherwise(before: WatchRule, after: WatchRule): boolean {
  const shape = (rule: WatchRule) =>
    JSON.stringify(
      Object.entries(rule)
        .filter(([field]) => !aside.has(field))
        .sort(),
    );
  return shape(before) !== shape(after);
}

type Rows = KnownRows & Pick<Ledger, 'skip' | 'learn' | 'stand' | 'change'>;

interface Edit {
  /** Only the edited rule would pick them up or ask about them, so the user decides. */
  readonly concerned: readonly FoundSource[];
  /** Only the edit changes their identity. */
  readonly shifted: readonly (readonly [found: FoundSource, before: string])[];
}

const noEdit: Edit = { concerned: [], shifted: [] };

/** Compares the sources before and after an edit. `look` scans by a rule; its errors are passed on. */
export async function concernedByEdit(
  before: WatchRule,
  after: WatchRule,
  look: (rule: WatchRule) => Promise<readonly FoundSource[]>,
  ledger: Rows,
  now: number,
): Promise<Edit> {
  if (!findsOtherwise(before, after)) return noEdit;
  const seen = async (rule: WatchRule) => {
    const some: { readonly found: FoundSource; readonly kind: Decision['kind'] }[] = [];
    for (const found of await look(rule))
      some.push({ found, kind: decide(await sightingOf(rule, found, ledger, { now })).kind });
    return some;
  };
  // In another folder the previous rule expected none of these sources.
  const known = before.folder === after.folder ? await seen(before) : [];
  const earlier = new Map(known.map((one) => [one.found.path, one]));
  const all = await seen(after);
  const identityBefore = ({ path }: FoundSource) => earlier.get(path)?.found.identity;
  return {
    concerned: all
      .filter(({ found, kind }) => {
        const then = earlier.get(found.path)?.kind;
        // It was due anyway and continues under the edited rule.
        if (then === 'take' || then === 'hold' || !isNews(kind)) return false;
        return then !== 'compare' || identityBefore(found) !== found.identity;
      })
      .map(({ found }) => found),
    shifted: all.flatMap(({ found }) => {
      const identity = identityBefore(found);
      return identity === undefined || identity === found.identity ? [] : [[found, identity] as const];
    }),
  };
}

const isNews = (kind: Decision['kind']): boolean => kind === 'take' || kind === 'hold' || kind === 'compare';

/**
 * Updates the identity of sources under way, so that they don't become a second asset. Call it again once the
 * previous rule is stopped.
 */
export function keepUnderWay(
  ruleId: string,
  { shifted }: Edit,
  ledger: Pick<Ledger, 'find' | 'learn'>,
): void {
  for (const [found, before] of shifted) {
    const known = ledger.find(ruleId, found.path);
    if (known?.state === 'taken' && known.identity === before) ledger.learn(ruleId, [found], 'under-way');
  }
}

const slice = 200;

/**
 * Applies the user's decision. `upload`: also finished sources; otherwise all are skipped until they change.
 * `now`: ms since the epoch.
 */
export async function decideEdit(
  ruleId: string,
  edit: Edit,
  upload: boolean,
  ledger: Rows,
  now: number,
): Promise<void> {
  const { concerned } = edit;
  if (!upload) keepUnderWay(ruleId, edit, ledger);
  for (let at = 0; at < concerned.length; at += slice) {
    const some = concerned.slice(at, at + slice);
    if (upload)
      wantAssets(
        ledger,
        ruleId,
        some.filter(({ path }) => ledger.find(ruleId, path)),
        now,
      );
    else leaveSources(ledger, ruleId, some, now);
    await setImmediate();
  }
}
