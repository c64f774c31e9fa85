import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { slicesOf } from '../model/scheduling.ts';
import type { Ledger } from '../state/ledger/ledger.ts';
import { type DecidedRows, leaveSources, wantAssets } from '../state/questions.ts';
import type { ForeseenSource } from '../state/source-context.ts';
import type { SourceState } from '../state/source-state.ts';

/** These don't affect which sources a rule finds. */
const aside: ReadonlySet<string> = new Set<keyof WatchRule>([
  ...(['id', 'name', 'accountId', 'on', 'shared', 'settleSeconds', 'hold', 'mountMarker'] as const),
  ...(['whenChanged', 'whenTooLong', 'whenExpired', 'namePattern', 'description', 'alerts'] as const),
  ...(['assetType', 'sourceType', 'clampToTerrain', 'baseTerrainId', 'options'] as const),
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

interface Edit {
  /** Only the edited rule would pick them up or ask about them, so the user decides. */
  readonly concerned: readonly FoundSource[];
  /** Only the edit changes their identity. */
  readonly shifted: readonly (readonly [found: FoundSource, before: string])[];
}

const noEdit: Edit = { concerned: [], shifted: [] };

/** Compares the sources before and after an edit. `foresee` scans by a rule; its errors are passed on. */
export async function concernedByEdit(
  previousRule: WatchRule,
  editedRule: WatchRule,
  foresee: (rule: WatchRule) => Promise<readonly ForeseenSource[]>,
): Promise<Edit> {
  if (!findsOtherwise(previousRule, editedRule)) return noEdit;
  // In another folder the previous rule expected none of these sources.
  const previousSources = previousRule.folder === editedRule.folder ? await foresee(previousRule) : [];
  const previousByPath = new Map(previousSources.map((previous) => [previous.source.path, previous]));
  const sources = await foresee(editedRule);
  const previousIdentity = ({ path }: FoundSource) => previousByPath.get(path)?.source.identity;
  return {
    concerned: sources
      .filter(({ source, state }) => {
        const previous = previousByPath.get(source.path)?.state;
        // It was due anyway and continues under the edited rule.
        if (previous?.kind === 'queued' || previous?.kind === 'held' || !isNews(state)) return false;
        return !isCompared(previous) || previousIdentity(source) !== source.identity;
      })
      .map(({ source }) => source),
    shifted: sources.flatMap(({ source }) => {
      const identity = previousIdentity(source);
      return identity === undefined || identity === source.identity ? [] : [[source, identity] as const];
    }),
  };
}

const isCompared = (state: SourceState | undefined): boolean =>
  state?.kind === 'waiting' && state.why === 'comparing';

const isNews = (state: SourceState): boolean =>
  state.kind === 'queued' || state.kind === 'held' || isCompared(state);

/**
 * Updates the identity of sources under way, so that they don't become a second asset. Call it again once the
 * previous rule is stopped.
 */
export function keepUnderWay(
  ruleId: string,
  { shifted }: Edit,
  ledger: Pick<Ledger, 'find' | 'change'>,
): void {
  for (const [source, previousIdentity] of shifted) {
    const entry = ledger.find(ruleId, source.path);
    if (entry?.state !== 'taken' || entry.identity !== previousIdentity) continue;
    const { path, identity, newestMs, digest } = source;
    ledger.change(ruleId, path, { identity, newestMs, marks: digest });
  }
}

/**
 * Applies the user's decision. `upload`: also finished sources; otherwise all are skipped until they change.
 * `currentTime`: ms since the epoch.
 */
export async function decideEdit(
  ruleId: string,
  edit: Edit,
  upload: boolean,
  ledger: DecidedRows,
  currentTime: number,
): Promise<void> {
  const { concerned } = edit;
  if (!upload) keepUnderWay(ruleId, edit, ledger);
  for await (const batch of slicesOf(concerned)) {
    if (upload)
      wantAssets(
        ledger,
        ruleId,
        batch.filter(({ path }) => ledger.find(ruleId, path)),
        currentTime,
      );
    else leaveSources(ledger, ruleId, batch, currentTime);
  }
}
