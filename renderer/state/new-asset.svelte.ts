import type {
  ErrorRecord,
  FindingGroup,
  FindingId,
  Forecast,
  JobView,
  SourceSeenView,
  SourceView,
  SourceWalkedView,
} from '../../preload/contract.ts';
import { findKind } from '../../shared/kinds.ts';
import { maxFootprints, unpackFootprints } from '../../shared/source.ts';
import { type Api, errorViewOf } from '../api.ts';
import { type Correction, correctionOf, draftAsSent } from '../screens/new-asset/draft/correction.ts';
import {
  type Decision,
  leftOutCount,
  leftOutKeys,
  takenAlongPaths,
  type Way,
} from '../screens/new-asset/draft/decisions.ts';
import {
  checkedInputs,
  type Draft,
  type DraftField,
  draftFrom,
  draftInputs,
  draftProblems,
  groupsThatMatter,
  plainDraft,
} from '../screens/new-asset/draft/draft.ts';
import { describeFindings, type FindingWords } from '../screens/new-asset/draft/findings.ts';
import { asksFirst, longestForecast } from '../screens/new-asset/draft/forecast.ts';
import { describeLastChoice } from '../screens/new-asset/draft/last-choice.ts';
import {
  includePiece,
  piecesLeftOut,
  sizeOf,
  takeOutPiece,
  withParted,
} from '../screens/new-asset/draft/proposal.ts';
import { hasTyped, includedByHand, keepTyped } from '../screens/new-asset/draft/typed.ts';

/** Where the sheet stands. */
type SheetView =
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'inspecting';
      readonly paths: readonly string[];
      /** What is known before all of it was walked through; null while that is nothing. */
      readonly walked: SourceWalkedView | null;
    }
  | { readonly kind: 'unusable'; readonly paths: readonly string[]; readonly error: ErrorRecord }
  | { readonly kind: 'found'; readonly source: SourceView };

const noProblems: ReadonlyMap<DraftField, string> = new Map();

/** The New asset sheet: from dropped paths to started jobs. */
export class NewAssetState {
  view: SheetView = $state.raw({ kind: 'closed' });
  draft: Draft | null = $state.raw(null);
  /** Shown once Upload was tried, then kept true to the draft. JSON is checked while it is typed. */
  problems: ReadonlyMap<DraftField, string> = $derived.by(() => this.#findProblems());
  /** What is to be said of the files, the gravest first. */
  findings: readonly FindingWords[] = $derived.by(() =>
    this.view.kind === 'found' && this.draft ? describeFindings(this.view.source, this.draft) : [],
  );
  /** Hidden by the person, whatever their values become as further files are looked into. */
  hiddenFindings: ReadonlySet<FindingId> = $state.raw(new Set());
  /** Those that are not hidden; what was decided is always shown. */
  shownFindings: readonly FindingWords[] = $derived(
    this.findings.filter(({ finding, decided }) => decided || !this.hiddenFindings.has(finding)),
  );
  /** Keys of the files that the map can show. */
  placedKeys: ReadonlySet<string> = $derived.by(
    () => new Set(this.view.kind === 'found' ? this.view.source.footprints.map(({ key }) => key) : []),
  );
  /** Keys of files that are left out, as far as the page knows them. */
  leftOutFiles: ReadonlySet<string> = $derived.by(() =>
    leftOutKeys(this.#groups(), this.draft?.decisions ?? {}),
  );
  /** Files that will be sent; null where that is just all of them, or where their number can't be told. */
  fileCountLeft: number | null = $derived.by(() => {
    if (this.view.kind !== 'found' || !this.draft || this.draft.kept) return null;
    const { decisions, leaveTaken } = this.draft;
    const { source } = this.view;
    const [leftOut, along] = [leftOutCount(this.#groups(), decisions), takenAlongPaths(decisions).length];
    const parts =
      sizeOf(piecesLeftOut(source, this.draft), source).fileCount + (leaveTaken ? source.taken.length : 0);
    if (leftOut === null || leftOut + parts + along === 0) return null;
    return source.fileCount - parts - leftOut + along;
  });
  /** Why what was decided about a finding can't be carried out, by the finding's id. */
  refusals: ReadonlyMap<string, ErrorRecord> = $state.raw(new Map());
  /** Key of the file that is shown on the map and in the list; null for none. */
  chosenFile: string | null = $state.raw(null);
  /** How long it will take; of several assets, the one that takes longest. Null while that is unknown. */
  forecast: Forecast | null = $derived.by(() => this.#findForecast());
  /** What was taken over from last time, in words; null for nothing. */
  asLastTime: string | null = $state.raw(null);
  /** The job whose place the new asset is to take; null for none. */
  correction: Correction | null = $state.raw(null);
  /** The choice between files and folders is open. */
  choosing = $state(false);
  submitting = $state(false);
  /** The forecast does not fit: the person is asked whether to upload anyway. */
  asking = $state(false);
  /** Something more was dropped on the open sheet and is looked at. */
  adding = $state(false);
  /** The sheet was to be closed with something typed in it. */
  askingToLeave = $state(false);
  error: ErrorRecord | null = $state.raw(null);
  /** The draft as nobody has touched it. */
  #first: Draft | null = null;
  /** What a person gave, without what was taken along. */
  #dropped: readonly string[] = [];
  #tried = $state(false);
  readonly #api: Api;
  #round = 0;
  /** What was seen beyond the first few files, which may be told before these are. */
  #seen: Pick<SourceView, 'footprints' | 'density' | 'seen' | 'findings'> | null = null;

  constructor(api: Api) {
    this.#api = api;
    api.on('source.seen', (view) => this.#takeSeen(view));
    api.on('source.walked', (walked) => {
      if (walked.round === this.#round && this.view.kind === 'inspecting')
        this.view = { ...this.view, walked };
    });
  }

  /** Looks at what was dropped or picked. A newer call replaces an older one. */
  open(paths: readonly string[]): Promise<void> {
    return this.#open(paths, null);
  }

  /** Looks at the source of a job that has ended, and fills in what was sent. */
  correct(job: JobView): Promise<void> {
    return this.#open(job.paths, correctionOf(job));
  }

  /** Likewise once more, after it could not be looked at. */
  lookAgain(): Promise<void> {
    return this.#open(this.view.kind === 'unusable' ? this.view.paths : [], this.correction);
  }

  async #open(paths: readonly string[], correction: Correction | null): Promise<void> {
    if (paths.length === 0 || this.submitting) return;
    const round = ++this.#round;
    this.view = { kind: 'inspecting', paths, walked: null };
    this.draft = null;
    this.error = null;
    this.asking = false;
    this.adding = false;
    this.askingToLeave = false;
    this.#first = null;
    this.#tried = false;
    this.#seen = null;
    this.correction = correction;
    this.asLastTime = null;
    this.chosenFile = null;
    this.refusals = new Map();
    this.showHidden();
    try {
      const asked = { paths, round, ...(correction && { correcting: correction.jobId }) };
      const source = this.#withSeen(await this.#api.call('source.inspect', asked));
      if (round !== this.#round) return;
      this.draft = source.asSent ? draftAsSent(source, source.asSent) : draftFrom(source);
      this.#first = this.draft;
      this.#dropped = paths;
      this.asLastTime = source.asSent ? null : describeLastChoice(source);
      this.view = { kind: 'found', source };
    } catch (thrown) {
      if (round === this.#round) this.view = { kind: 'unusable', paths, error: errorViewOf(thrown) };
    }
  }

  /** Throws `ApiError` when the system's dialog can't be shown. */
  async pick(kind: 'folder' | 'files'): Promise<void> {
    await this.open(await this.#api.call('source.pick', kind));
  }

  /** Looks at the source of a job once more. Throws `ApiError` when the job is gone. */
  async openRecent(jobId: string): Promise<void> {
    await this.open(await this.#api.call('source.recent', jobId));
  }

  /** Puts names of files on the clipboard. Throws `ApiError`. */
  copyNames(names: readonly string[]): Promise<void> {
    return this.#api.call('source.copyNames', names);
  }

  hideFinding(finding: FindingId): void {
    this.hiddenFindings = new Set([...this.hiddenFindings, finding]);
  }

  showHidden(): void {
    this.hiddenFindings = new Set();
  }

  chooseFile(key: string | null): void {
    this.chosenFile = key;
  }

  /** Takes a way out of a finding, by the finding's id as its words have it. */
  takeWayOut(id: string, way: Decision | Extract<Way, { kind: 'switch' | 'split' }>): void {
    if (way.kind === 'split') this.change({ split: true });
    else if (way.kind === 'switch') {
      const kind = findKind(way.sourceType);
      if (kind) this.change({ assetType: kind.assetType, sourceType: kind.sourceType });
    } else {
      if (way.kind === 'position') this.#place(way);
      this.change({ decisions: { ...this.draft?.decisions, [id]: way } });
      if (way.kind !== 'position') void this.#check(id, way);
    }
  }

  /** What can't be carried out is told at once, and taken back: *Upload* would be refused. */
  async #check(id: string, decision: Decision): Promise<void> {
    this.#refuse(id, null);
    if (this.view.kind !== 'found' || !this.draft) return;
    try {
      for (const input of checkedInputs(this.view.source, this.draft))
        await this.#api.call('jobs.check', input);
    } catch (thrown) {
      if (this.draft?.decisions[id] !== decision) return;
      this.undoDecision(id);
      this.#refuse(id, errorViewOf(thrown));
    }
  }

  #refuse(id: string, error: ErrorRecord | null): void {
    const others = [...this.refusals].filter(([one]) => one !== id);
    this.refusals = new Map(error ? [...others, [id, error]] : others);
  }

  /** Leaves the files of a finding as they are. */
  undoDecision(id: string): void {
    const { [id]: undone, ...decisions } = this.draft?.decisions ?? {};
    this.#refuse(id, null);
    if (undone?.kind === 'position') this.#place(null);
    this.change({ decisions });
  }

  /** In the form, where it can be seen and changed. */
  #place(position: Extract<Decision, { kind: 'position' }> | null): void {
    if (!this.draft) return;
    const text = (number: number | undefined) => (number === undefined ? '' : String(number));
    const { longitude, latitude, height } = position ?? {};
    this.change({
      options: {
        ...this.draft.options,
        longitude: text(longitude),
        latitude: text(latitude),
        height: text(height),
      },
    });
  }

  change(part: Partial<Draft>): void {
    if (this.draft) this.draft = { ...this.draft, ...part };
  }

  /** Assets after a move by hand, as `draft/proposal.ts` gives them. */
  move(assets: Pick<Draft, 'separate' | 'removed'>): void {
    this.change({ ...assets, split: true });
  }

  /** Pieces that were left out go into an asset; where all is one, into that. */
  include(pieces: readonly number[], into: number): void {
    for (const piece of pieces) {
      if (this.view.kind !== 'found' || !this.draft) return;
      if (this.draft.split) this.move(includePiece(this.draft, piece, into, this.view.source));
      else this.change({ pieces: [...this.draft.pieces, piece] });
    }
  }

  /** Leaves a piece out again. */
  takeOut(piece: number): void {
    if (this.view.kind !== 'found' || !this.draft) return;
    if (this.draft.split) this.move(takeOutPiece(this.draft, piece, this.view.source));
    else this.change({ pieces: this.draft.pieces.filter((at) => at !== piece) });
  }

  /** Keys of files of pieces that are left out, a page of those with this text. Throws `ApiError`. */
  listLeftOut(pieces: readonly number[], search: string, from: number) {
    return this.#api.call('source.leftOut', { pieces, search, from });
  }

  /** One of these files goes into an asset. */
  async includeFile(pieces: readonly number[], key: string, into: number): Promise<void> {
    const round = this.#round;
    try {
      const parted = await this.#api.call('source.partFile', { pieces, key });
      if (round !== this.#round || this.view.kind !== 'found') return;
      const { source } = this.view;
      this.view = { kind: 'found', source: { ...source, ...withParted(source, parted) } };
      this.include([parted.place], into);
    } catch (thrown) {
      if (round === this.#round) this.error = errorViewOf(thrown);
    }
  }

  /** Whether anything would be lost by closing the sheet. */
  get isTyped(): boolean {
    return this.draft !== null && this.#first !== null && hasTyped(this.draft, this.#first);
  }

  /** Closes the sheet; where something was typed, asks first. */
  leave(): void {
    if (this.isTyped && !this.submitting) this.askingToLeave = true;
    else this.close();
  }

  /** Adds what is dropped on the open sheet: what was typed stays. */
  async add(paths: readonly string[]): Promise<void> {
    if (this.view.kind !== 'found' || !this.draft || this.correction) return this.open(paths);
    if (this.submitting || paths.every((path) => this.#dropped.includes(path))) return;
    const [{ source: before }, dropped, all] = [
      this.view,
      this.#dropped,
      [...new Set([...this.#dropped, ...paths])],
    ];
    const included = includedByHand(before, this.draft);
    const round = ++this.#round;
    this.adding = true;
    this.error = null;
    this.#seen = null;
    try {
      await this.#show(all, round, before, included);
    } catch (thrown) {
      if (round !== this.#round) return;
      // Main shows nothing now: what was there is looked at once more.
      await this.#show(dropped, round, before, included).catch(() => {});
      if (round === this.#round) this.error = errorViewOf(thrown);
    } finally {
      if (round === this.#round) this.adding = false;
    }
  }

  /** These paths in place of what is shown, with what was typed and chosen for that. */
  async #show(
    paths: readonly string[],
    round: number,
    before: SourceView,
    included: readonly number[],
  ): Promise<void> {
    const asked = { paths, round, ...(included.length > 0 && { included }) };
    const source = this.#withSeen(await this.#api.call('source.inspect', asked));
    if (round !== this.#round || !this.draft) return;
    const plain = draftFrom(source);
    const first = this.#first;
    const [draft, was] = [this.draft, { source: before, included }];
    this.draft = first ? keepTyped(plain, source, { ...was, first, draft }) : plain;
    this.#first = plain;
    this.#dropped = paths;
    this.asLastTime = describeLastChoice(source);
    this.view = { kind: 'found', source };
  }

  /** One of several assets, by its place in the list. */
  changeSeparate(index: number, change: Partial<Omit<Draft['separate'][number], 'source'>>): void {
    if (!this.draft) return;
    const separate = this.draft.separate.map((one, at) => (at === index ? { ...one, ...change } : one));
    this.draft = { ...this.draft, separate };
  }

  /** Leaves what was chosen last time: type and options as if there had been none. What was typed stays. */
  forgetLastTime(): void {
    if (this.view.kind !== 'found' || !this.draft) return;
    const { name, description, split, separate, decisions, kept, pieces, removed, leaveTaken } = this.draft;
    const plain = plainDraft(this.view.source);
    this.draft = {
      ...plain,
      name,
      description,
      split,
      decisions,
      kept,
      ...{ pieces, removed, leaveTaken },
      separate: separate.map((one) => {
        const { suggestion } = one.source;
        const { assetType = null, sourceType = '' } = suggestion ?? {};
        return { ...one, assetType, sourceType };
      }),
    };
    this.asLastTime = null;
  }

  close(): void {
    this.#round += 1;
    this.#leave();
    this.view = { kind: 'closed' };
    this.draft = null;
    this.correction = null;
    this.submitting = false;
    this.asking = false;
    this.adding = false;
    this.askingToLeave = false;
  }

  /**
   * Starts a job for each asset. Gives false when something is missing, was refused, or has to be asked
   * first; assets that were started before a refusal are no longer in the draft then.
   */
  async submit(anyway = false): Promise<boolean> {
    if (this.view.kind !== 'found' || !this.draft || this.submitting) return false;
    this.#tried = true;
    this.asking = false;
    const predecessor = this.correction?.jobId;
    const inputs = draftInputs(this.view.source, this.draft, anyway);
    if (inputs.length === 0) return false;
    if (!anyway && asksFirst(this.forecast)) {
      this.asking = true;
      return false;
    }
    this.submitting = true;
    this.error = null;
    this.#leave();
    try {
      for (const input of inputs) {
        await this.#api.call('jobs.create', { ...input, ...(predecessor !== undefined && { predecessor }) });
        // Upload once more must not start it twice.
        if (this.draft?.split) this.change({ separate: this.draft.separate.slice(1) });
      }
      this.close();
      return true;
    } catch (thrown) {
      this.error = errorViewOf(thrown);
      return false;
    } finally {
      this.submitting = false;
    }
  }

  /** Something is held over the window. */
  expect(): void {
    this.#api.call('source.expect', null).catch(() => {});
  }

  /** Looking on would only hold up the upload. What can't be told main now it finds out by itself. */
  #leave(): void {
    if (this.view.kind !== 'closed') this.#api.call('source.leave', null).catch(() => {});
  }

  #takeSeen({ round, seen, footprints, density }: SourceSeenView): void {
    if (round !== this.#round) return;
    const before = this.#seen?.footprints ?? [];
    // Beside a density those stay that came before it: what is found in one of these files can be shown.
    const all = [...before, ...unpackFootprints(footprints)].slice(0, maxFootprints);
    this.#seen = { footprints: all, density, seen, findings: seen.findings };
    if (this.view.kind === 'found') this.view = { kind: 'found', source: this.#withSeen(this.view.source) };
  }

  #withSeen(source: SourceView): SourceView {
    return { ...source, ...this.#seen };
  }

  #groups(): readonly FindingGroup[] {
    return this.view.kind === 'found' && this.draft
      ? groupsThatMatter(this.view.source.findings, this.draft)
      : [];
  }

  #findProblems(): ReadonlyMap<DraftField, string> {
    if (!this.draft) return noProblems;
    const all = draftProblems(this.draft);
    if (this.#tried) return all;
    const whileTyping = all.get('furtherOptions');
    return whileTyping === undefined ? noProblems : new Map([['furtherOptions', whileTyping]]);
  }

  #findForecast(): Forecast | null {
    if (this.view.kind !== 'found' || !this.draft) return null;
    return this.draft.split
      ? longestForecast(this.draft.separate.map(({ source }) => source.forecast))
      : this.view.source.forecast;
  }
}
