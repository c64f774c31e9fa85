import type { AssetSeen, FindingId } from '../../../preload/contract.ts';
import { isLikelyToFail } from './draft/asset-row.ts';
import { leftOutCount, leftOutKeys, takenAlongPaths } from './draft/decisions.ts';
import { type FindingsScope, groupsThatMatter, scopesOf } from './draft/draft.ts';
import { describeFindings, type FindingWords } from './draft/findings.ts';
import { piecesLeftOut, sizeOf } from './draft/proposal.ts';
import type { DroppedSource } from './dropped.svelte.ts';
import type { SheetForm } from './sheet-form.svelte.ts';

/** The sheet's view of files: findings, and which files will be sent. */
export class FilesSeen {
  readonly #droppedSource: DroppedSource;
  readonly #form: SheetForm;
  /** Subjects of findings: each separate asset in the order of rows, or all files as one. */
  scopes: readonly FindingsScope[] = $derived.by(() => {
    const [{ source }, { draft }] = [this.#droppedSource, this.#form];
    return source && draft ? scopesOf(source, draft) : [];
  });
  /** Inspected facts by asset number. */
  assets: ReadonlyMap<number, AssetSeen> = $derived.by(
    () => new Map(this.#droppedSource.source?.assets.map((asset) => [asset.group, asset])),
  );
  findings: readonly FindingWords[] = $derived.by(() =>
    this.scopes.flatMap((scope) => this.#describe(scope)),
  );
  /** Rows of assets with an open finding that likely ends in an error. */
  failingGroups: readonly number[] = $derived.by(() =>
    this.scopes.flatMap((scope, index) => (isLikelyToFail(scope) ? [index] : [])),
  );
  /** Ids of hidden findings: new values don't show them again. */
  hiddenIds: ReadonlySet<string> = $state.raw(new Set());
  placedKeys: ReadonlySet<string> = $derived.by(
    () => new Set(this.#droppedSource.source?.footprints.map(({ key }) => key)),
  );
  leftOut: ReadonlySet<string> = $derived.by(
    () => new Set(this.scopes.flatMap((scope) => [...leftOutKeys(groupsThatMatter(scope), scope.decisions)])),
  );
  /** Number of files to send; null if it is all files or uncertain. */
  countLeft: number | null = $derived.by(() => this.#countLeft());
  chosenKey: string | null = $state.raw(null);
  /** Caches texts per asset, so that typing for one asset rebuilds only its own. */
  readonly #wordsCache = new Map<
    number | null,
    { readonly scope: FindingsScope; readonly words: readonly FindingWords[] }
  >();

  constructor(droppedSource: DroppedSource, form: SheetForm) {
    this.#droppedSource = droppedSource;
    this.#form = form;
  }

  findingsOf(group: number | null): readonly FindingWords[] {
    return this.findings.filter((words) => words.group === group);
  }

  /** Visible findings; decided ones are always visible. */
  shownOf(group: number | null): readonly FindingWords[] {
    return this.findingsOf(group).filter(
      ({ finding, decided: decidedWords }) => decidedWords || !this.hiddenIds.has(hiddenAs(group, finding)),
    );
  }

  hide(finding: FindingId, group: number | null): void {
    this.hiddenIds = new Set([...this.hiddenIds, hiddenAs(group, finding)]);
  }

  /** `group`: absent for all assets. */
  showHidden(group?: number | null): void {
    const remaining = [...this.hiddenIds].filter(
      (key) => group !== undefined && !key.startsWith(hiddenAs(group, '')),
    );
    this.hiddenIds = new Set(remaining);
  }

  #describe(scope: FindingsScope): readonly FindingWords[] {
    const cached = this.#wordsCache.get(scope.group);
    if (cached && isSameScope(cached.scope, scope)) return cached.words;
    const words = describeFindings(scope);
    this.#wordsCache.set(scope.group, { scope, words });
    return words;
  }

  #countLeft(): number | null {
    const [{ source }, { draft }] = [this.#droppedSource, this.#form];
    if (!source || !draft || draft.keptChanges) return null;
    const counts = this.scopes.map((scope) => leftOutCount(groupsThatMatter(scope), scope.decisions));
    const addedCount = this.scopes.reduce((sum, { decisions }) => sum + takenAlongPaths(decisions).length, 0);
    const removedCount = draft.leaveTaken ? source.taken.length : 0;
    const parts = sizeOf(piecesLeftOut(source, draft), source).fileCount + removedCount;
    let leftOut = 0;
    for (const count of counts) {
      if (count === null) return null;
      leftOut += count;
    }
    if (leftOut + parts + addedCount === 0) return null;
    return source.fileCount - parts - leftOut + addedCount;
  }
}

const hiddenAs = (group: number | null, finding: string): string => `${group ?? ''}/${finding}`;

const isSameScope = (firstScope: FindingsScope, secondScope: FindingsScope): boolean =>
  (Object.keys(firstScope) as (keyof FindingsScope)[]).every(
    (field) => firstScope[field] === secondScope[field],
  );
