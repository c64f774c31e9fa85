import type { FindingId } from '../../../preload/contract.ts';
import { leftOutCount, leftOutKeys, takenAlongPaths } from './draft/decisions.ts';
import { groupsThatMatter } from './draft/draft.ts';
import { describeFindings, type FindingWords } from './draft/findings.ts';
import { piecesLeftOut, sizeOf } from './draft/proposal.ts';
import type { Dropped } from './dropped.svelte.ts';
import type { SheetForm } from './sheet-form.svelte.ts';

/** What the New asset sheet shows of the files: what was found in them, and which of them will be sent. */
export class FilesSeen {
  readonly #dropped: Dropped;
  readonly #form: SheetForm;
  /** What is to be said of the files, the gravest first. */
  findings: readonly FindingWords[] = $derived.by(() => {
    const [{ source }, { draft }] = [this.#dropped, this.#form];
    return source && draft ? describeFindings(source, draft) : [];
  });
  /** Hidden by the person, whatever their values become as further files are looked into. */
  hidden: ReadonlySet<FindingId> = $state.raw(new Set());
  /** Those that are not hidden; what was decided is always shown. */
  shown: readonly FindingWords[] = $derived(
    this.findings.filter(({ finding, decided }) => decided || !this.hidden.has(finding)),
  );
  /** Keys of the files that the map can show. */
  placedKeys: ReadonlySet<string> = $derived.by(
    () => new Set(this.#dropped.source?.footprints.map(({ key }) => key)),
  );
  /** Keys of files that are left out, as far as the page knows them. */
  leftOut: ReadonlySet<string> = $derived.by(() =>
    leftOutKeys(this.#groups(), this.#form.draft?.decisions ?? {}),
  );
  /** Files that will be sent; null where that is just all of them, or where their number can't be told. */
  countLeft: number | null = $derived.by(() => this.#countLeft());
  /** Key of the file that is shown on the map and in the list; null for none. */
  chosen: string | null = $state.raw(null);

  constructor(dropped: Dropped, form: SheetForm) {
    this.#dropped = dropped;
    this.#form = form;
  }

  hide(finding: FindingId): void {
    this.hidden = new Set([...this.hidden, finding]);
  }

  showHidden(): void {
    this.hidden = new Set();
  }

  #groups() {
    const [{ source }, { draft }] = [this.#dropped, this.#form];
    return source && draft ? groupsThatMatter(source.findings, draft) : [];
  }

  #countLeft(): number | null {
    const [{ source }, { draft }] = [this.#dropped, this.#form];
    if (!source || !draft || draft.kept) return null;
    const { decisions, leaveTaken } = draft;
    const [leftOut, along] = [leftOutCount(this.#groups(), decisions), takenAlongPaths(decisions).length];
    const parts =
      sizeOf(piecesLeftOut(source, draft), source).fileCount + (leaveTaken ? source.taken.length : 0);
    if (leftOut === null || leftOut + parts + along === 0) return null;
    return source.fileCount - parts - leftOut + along;
  }
}
