import type { AssetSeen, FindingId } from '../../../preload/contract.ts';
import { isLikelyToFail } from './draft/asset-row.ts';
import { leftOutCount, leftOutKeys, takenAlongPaths } from './draft/decisions.ts';
import { type FindingsScope, groupsThatMatter, scopesOf } from './draft/draft.ts';
import { describeFindings, type FindingWords } from './draft/findings.ts';
import { piecesLeftOut, sizeOf } from './draft/proposal.ts';
import type { Dropped } from './dropped.svelte.ts';
import type { SheetForm } from './sheet-form.svelte.ts';

/** What the New asset sheet shows of the files: what was found in them, and which of them will be sent. */
export class FilesSeen {
  readonly #dropped: Dropped;
  readonly #form: SheetForm;
  /** What findings are about: each of several assets, in the order of their rows, or all as one. */
  scopes: readonly FindingsScope[] = $derived.by(() => {
    const [{ source }, { draft }] = [this.#dropped, this.#form];
    return source && draft ? scopesOf(source, draft) : [];
  });
  /** What was seen of each of several assets, by number. */
  assets: ReadonlyMap<number, AssetSeen> = $derived.by(
    () => new Map(this.#dropped.source?.assets.map((asset) => [asset.group, asset])),
  );
  /** What is to be said of the files, the gravest of each asset first. */
  findings: readonly FindingWords[] = $derived.by(() =>
    this.scopes.flatMap((scope) => this.#describe(scope)),
  );
  /** Places of the rows whose assets will probably fail, with nothing decided about it. */
  failing: readonly number[] = $derived.by(() =>
    this.scopes.flatMap((scope, at) => (isLikelyToFail(scope) ? [at] : [])),
  );
  /** Findings that the person has hidden, whatever their values become as further files are looked into. */
  hidden: ReadonlySet<string> = $state.raw(new Set());
  /** Keys of the files that the map can show. */
  placedKeys: ReadonlySet<string> = $derived.by(
    () => new Set(this.#dropped.source?.footprints.map(({ key }) => key)),
  );
  /** Keys of files that are left out, as far as the page knows them. */
  leftOut: ReadonlySet<string> = $derived.by(
    () => new Set(this.scopes.flatMap((scope) => [...leftOutKeys(groupsThatMatter(scope), scope.decisions)])),
  );
  /** Files that will be sent; null where that is just all of them, or where their number can't be told. */
  countLeft: number | null = $derived.by(() => this.#countLeft());
  /** Key of the file that is shown on the map and in the list; null for none. */
  chosen: string | null = $state.raw(null);
  /** What was said of each asset last: what is typed for one is no reason to say all of them again. */
  readonly #said = new Map<
    number | null,
    { readonly scope: FindingsScope; readonly words: readonly FindingWords[] }
  >();

  constructor(dropped: Dropped, form: SheetForm) {
    this.#dropped = dropped;
    this.#form = form;
  }

  /** What is to be said of an asset; null for all as one. */
  findingsOf(group: number | null): readonly FindingWords[] {
    return this.findings.filter((words) => words.group === group);
  }

  /** Those that are not hidden; what was decided is always shown. */
  shownOf(group: number | null): readonly FindingWords[] {
    return this.findingsOf(group).filter(
      ({ finding, decided }) => decided || !this.hidden.has(hiddenAs(group, finding)),
    );
  }

  hide(finding: FindingId, group: number | null): void {
    this.hidden = new Set([...this.hidden, hiddenAs(group, finding)]);
  }

  /** Those of an asset, or of all. */
  showHidden(group?: number | null): void {
    const others = [...this.hidden].filter(
      (one) => group !== undefined && !one.startsWith(hiddenAs(group, '')),
    );
    this.hidden = new Set(others);
  }

  #describe(scope: FindingsScope): readonly FindingWords[] {
    const said = this.#said.get(scope.group);
    if (said && isSameScope(said.scope, scope)) return said.words;
    const words = describeFindings(scope);
    this.#said.set(scope.group, { scope, words });
    return words;
  }

  #countLeft(): number | null {
    const [{ source }, { draft }] = [this.#dropped, this.#form];
    if (!source || !draft || draft.kept) return null;
    const counts = this.scopes.map((scope) => leftOutCount(groupsThatMatter(scope), scope.decisions));
    const along = this.scopes.reduce((sum, { decisions }) => sum + takenAlongPaths(decisions).length, 0);
    const taken = draft.leaveTaken ? source.taken.length : 0;
    const parts = sizeOf(piecesLeftOut(source, draft), source).fileCount + taken;
    let leftOut = 0;
    for (const count of counts) {
      if (count === null) return null;
      leftOut += count;
    }
    if (leftOut + parts + along === 0) return null;
    return source.fileCount - parts - leftOut + along;
  }
}

const hiddenAs = (group: number | null, finding: string): string => `${group ?? ''}/${finding}`;

const isSameScope = (one: FindingsScope, other: FindingsScope): boolean =>
  (Object.keys(one) as (keyof FindingsScope)[]).every((field) => one[field] === other[field]);
