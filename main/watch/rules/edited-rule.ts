import { setImmediate } from 'node:timers/promises';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type Decision, decide } from '../state/decide.ts';
import type { Ledger } from '../state/ledger/ledger-model.ts';
import { leaveSources, wantAssets } from '../state/questions.ts';
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
function findsOtherwise(previousRule: WatchRule, editedRule: WatchRule): boolean {
  const shape = (rule: WatchRule) =>
    JSON.stringify(
      Object.entries(rule)
        .filter(([field]) => !aside.has(field))
        .sort(),
    );
  return shape(previousRule) !== shape(editedRule);
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
  previousRule: WatchRule,
  editedRule: WatchRule,
  look: (rule: WatchRule) => Promise<readonly FoundSource[]>,
  ledger: Rows,
  currentTime: number,
): Promise<Edit> {
  if (!findsOtherwise(previousRule, editedRule)) return noEdit;
  const decisionsOf = async (rule: WatchRule) => {
    const decided: { readonly source: FoundSource; readonly kind: Decision['kind'] }[] = [];
    for (const source of await look(rule))
      decided.push({ source, kind: decide(await sightingOf(rule, source, ledger, { currentTime })).kind });
    return decided;
  };
  // In another folder the previous rule expected none of these sources.
  const previousDecisions = previousRule.folder === editedRule.folder ? await decisionsOf(previousRule) : [];
  const earlier = new Map(previousDecisions.map((decision) => [decision.source.path, decision]));
  const newDecisions = await decisionsOf(editedRule);
  const identityBefore = ({ path }: FoundSource) => earlier.get(path)?.source.identity;
  return {
    concerned: newDecisions
      .filter(({ source, kind }) => {
        const previousKind = earlier.get(source.path)?.kind;
        // It was due anyway and continues under the edited rule.
        if (previousKind === 'take' || previousKind === 'hold' || !isNews(kind)) return false;
        return previousKind !== 'compare' || identityBefore(source) !== source.identity;
      })
      .map(({ source }) => source),
    shifted: newDecisions.flatMap(({ source }) => {
      const identity = identityBefore(source);
      return identity === undefined || identity === source.identity ? [] : [[source, identity] as const];
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
  for (const [source, previousIdentity] of shifted) {
    const entry = ledger.find(ruleId, source.path);
    if (entry?.state === 'taken' && entry.identity === previousIdentity)
      ledger.learn(ruleId, [source], 'under-way');
  }
}

const slice = 200;

/**
 * Applies the user's decision. `upload`: also finished sources; otherwise all are skipped until they change.
 * `currentTime`: ms since the epoch.
 */
export async function decideEdit(
  ruleId: string,
  edit: Edit,
  upload: boolean,
  ledger: Rows,
  currentTime: number,
): Promise<void> {
  const { concerned } = edit;
  if (!upload) keepUnderWay(ruleId, edit, ledger);
  for (let start = 0; start < concerned.length; start += slice) {
    const batch = concerned.slice(start, start + slice);
    if (upload)
      wantAssets(
        ledger,
        ruleId,
        batch.filter(({ path }) => ledger.find(ruleId, path)),
        currentTime,
      );
    else leaveSources(ledger, ruleId, batch, currentTime);
    await setImmediate();
  }
}
