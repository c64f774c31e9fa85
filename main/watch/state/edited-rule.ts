import { setImmediate } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger-model.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { leaveSources, wantAssets } from './choices.ts';
import { type Decision, decide } from './decide.ts';
import { type KnownRows, sightingOf } from './sighting.ts';

/** Fields that change nothing about what a rule finds in its folder. */
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

/** True where a rule as edited may find something else. A field not known to be harmless counts. */
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

/** What an edit changes about what is in a rule's folder. */
interface Edit {
  /**
   * Sources that would be taken, or asked about, and would not have been before the edit: those that a person
   * says what becomes of.
   */
  readonly concerned: readonly FoundSource[];
  /** Sources that look different by the edit alone, with the identity that they had before it. */
  readonly shifted: readonly (readonly [found: FoundSource, before: string])[];
}

const noEdit: Edit = { concerned: [], shifted: [] };

/** `look`: what a rule finds in its folder now. Throws what that throws. */
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
  // Of another folder it had not expected anything here.
  const known = before.folder === after.folder ? await seen(before) : [];
  const earlier = new Map(known.map((one) => [one.found.path, one]));
  const all = await seen(after);
  const identityBefore = ({ path }: FoundSource) => earlier.get(path)?.found.identity;
  return {
    concerned: all
      .filter(({ found, kind }) => {
        const then = earlier.get(found.path)?.kind;
        // It continues with what was coming anyway, as the rule now sees it.
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
 * What is under way looks different by the edit alone: it makes no second asset of it when it ends. To be
 * called again once nothing takes sources by the rule as it was.
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

/** Rows between which others have a turn. */
const slice = 200;

/**
 * `upload`: also those that were finished and look different by the edit. Otherwise they all stay as they
 * are, until they change. `now`: ms since the epoch.
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
