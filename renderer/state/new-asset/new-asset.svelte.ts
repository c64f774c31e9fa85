import type { ErrorRecord, JobView, SourceView } from '../../../preload/contract.ts';
import { type Api, errorViewOf } from '../../api.ts';
import { AssignedSystemPlaces } from './assigned-places.svelte.ts';
import { type Correction, correctionOf } from './draft/correction.ts';
import { draftInputs } from './draft/draft.ts';
import { asksFirst } from './draft/forecast.ts';
import { includedByHand } from './draft/typed.ts';
import { DroppedSource } from './dropped.svelte.ts';
import { FilesSeen } from './files-seen.svelte.ts';
import { SheetForm } from './sheet-form.svelte.ts';

/** The New asset sheet: from dropped paths to started jobs. */
export class NewAssetState {
  readonly droppedSource: DroppedSource;
  readonly form: SheetForm;
  readonly files: FilesSeen;
  readonly places: AssignedSystemPlaces;
  correction: Correction | null = $state.raw(null);
  choosing = $state(false);
  submitting = $state(false);
  /** The upload exceeds its forecast: the sheet asks for confirmation. */
  isAsking = $state(false);
  /** An addition to the open sheet is under inspection. */
  adding = $state(false);
  askingToLeave = $state(false);
  error: ErrorRecord | null = $state.raw(null);
  /** Entries of a single dropped folder that could each become an asset. */
  folders: readonly string[] = $state.raw([]);
  /** Paths from the person, without added sidecar files. */
  #paths: readonly string[] = [];
  /** The same with paths under inspection. */
  #requestedPaths: readonly string[] = [];
  /** Paths to inspect after the person has discarded the sheet. */
  #instead: readonly string[] = [];
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    this.droppedSource = new DroppedSource(api);
    this.form = new SheetForm(api, this.droppedSource);
    this.files = new FilesSeen(this.droppedSource, this.form);
    this.places = new AssignedSystemPlaces(api, this.files);
  }

  /** Inspects dropped or picked paths. A newer call replaces an older one. */
  open(paths: readonly string[]): Promise<void> {
    return this.#openPaths(paths, null);
  }

  /** Inspects the source of an ended job and fills in the values that were sent. */
  correct(job: JobView): Promise<void> {
    return this.#openPaths(job.paths, correctionOf(job));
  }

  lookAgain(): Promise<void> {
    const { view } = this.droppedSource;
    return this.#openPaths(view.kind === 'unusable' ? view.paths : [], this.correction);
  }

  async #openPaths(paths: readonly string[], correction: Correction | null): Promise<void> {
    if (paths.length === 0 || this.submitting) return;
    const round = this.droppedSource.nextRound();
    this.droppedSource.view = { kind: 'inspecting', paths, walked: null };
    this.#forget();
    this.correction = correction;
    this.files.chosenKey = null;
    this.files.showHidden();
    this.#requestedPaths = paths;
    try {
      const source = await this.droppedSource.look(
        paths,
        round,
        correction ? { correcting: correction.jobId } : {},
      );
      if (!source) return;
      this.form.fill(source);
      this.#paths = paths;
      this.droppedSource.view = { kind: 'found', source };
      if (!correction) await this.#findFolders(source, round);
    } catch (error) {
      if (this.droppedSource.isCurrent(round))
        this.droppedSource.view = { kind: 'unusable', paths, error: errorViewOf(error) };
    }
  }

  async #findFolders({ paths: [path, ...otherPaths] }: SourceView, round: number): Promise<void> {
    if (path === undefined || otherPaths.length > 0) return;
    const folders = await this.#api.call('source.folders', path).catch(() => []);
    if (this.droppedSource.isCurrent(round)) this.folders = folders;
  }

  /** Number of assets if the source is split further, by its folders or as proposed; null if it can't be. */
  get splitCount(): number | null {
    const { draft } = this.form;
    if (!draft || this.correction) return null;
    const count = Math.max(draft.separate.length, this.folders.length);
    return count > (draft.split ? draft.separate.length : 1) ? count : null;
  }

  async splitFurther(): Promise<void> {
    this.isAsking = false;
    if (this.folders.length > (this.form.draft?.separate.length ?? 0)) await this.open(this.folders);
    else this.form.change({ split: true });
  }

  /** Throws `ApiError` if the system's dialog fails. */
  async pick(kind: 'folder' | 'files'): Promise<void> {
    await this.open(await this.#api.call('source.pick', kind));
  }

  /** Inspects a job's source again. Throws `ApiError` if the job is gone. */
  async openRecent(jobId: string): Promise<void> {
    await this.open(await this.#api.call('source.recent', jobId));
  }

  /**
   * Adds a drop to the open sheet; typed values stay. A correction takes no additions: asks before discarding
   * changes.
   */
  async add(paths: readonly string[]): Promise<void> {
    const { view } = this.droppedSource;
    if (this.submitting || paths.length === 0) return;
    if (this.correction && this.form.isTyped) {
      this.#instead = paths;
      this.askingToLeave = true;
      return;
    }
    if (this.correction || view.kind === 'closed' || view.kind === 'unusable') return this.open(paths);
    const combined = [...new Set([...this.#requestedPaths, ...paths])];
    if (combined.length === this.#requestedPaths.length) return;
    if (view.kind === 'inspecting') return this.open(combined);
    const round = this.droppedSource.nextRound();
    this.#requestedPaths = combined;
    this.adding = true;
    this.error = null;
    try {
      await this.#addAll(combined, round);
    } catch (error) {
      if (!this.droppedSource.isCurrent(round)) return;
      // Main dropped the source: inspect the earlier paths again.
      await this.#addAll(this.#paths, round).catch(() => {});
      if (this.droppedSource.isCurrent(round)) this.error = errorViewOf(error);
    } finally {
      if (this.droppedSource.isCurrent(round)) {
        this.adding = false;
        this.#requestedPaths = this.#paths;
      }
    }
  }

  async #addAll(paths: readonly string[], round: number): Promise<void> {
    const { source: previous } = this.droppedSource;
    const { draft } = this.form;
    if (!previous || !draft) return;
    const source = await this.droppedSource.look(paths, round, { included: includedByHand(previous, draft) });
    if (!source) return;
    this.form.fillFurther(source, previous);
    this.folders = [];
    this.#paths = paths;
    this.droppedSource.view = { kind: 'found', source };
  }

  copyNames(names: readonly string[]): Promise<void> {
    return this.#api.call('source.copyNames', names);
  }

  async includeFile(pieces: readonly number[], key: string, targetIndex: number): Promise<void> {
    try {
      const parted = await this.droppedSource.partFile(pieces, key);
      if (parted) this.form.include([parted.place], targetIndex);
    } catch (error) {
      if (this.droppedSource.source) this.error = errorViewOf(error);
    }
  }

  leave(): void {
    if (this.form.isTyped && !this.submitting) this.askingToLeave = true;
    else this.close();
  }

  stay(): void {
    this.askingToLeave = false;
    this.#instead = [];
  }

  async discard(): Promise<void> {
    const instead = this.#instead;
    this.close();
    await this.open(instead);
  }

  close(): void {
    this.droppedSource.close();
    this.#forget();
    this.correction = null;
    this.submitting = false;
  }

  #forget(): void {
    this.form.clear();
    this.places.clear();
    this.error = null;
    this.isAsking = false;
    this.adding = false;
    this.askingToLeave = false;
    this.folders = [];
    this.#paths = [];
    this.#requestedPaths = [];
    this.#instead = [];
  }

  async submitFine(): Promise<boolean> {
    this.form.leaveOut(this.files.failingGroups);
    return this.submit();
  }

  /**
   * Starts a job per asset. Returns false if something is missing, refused or needs confirmation; started
   * assets then leave the list.
   */
  async submit(anyway = false): Promise<boolean> {
    const [{ source }, { draft, forecast }] = [this.droppedSource, this.form];
    if (!source || !draft || this.submitting) return false;
    this.form.showProblems();
    this.isAsking = false;
    const predecessor = this.correction?.jobId;
    const inputs = draftInputs(source, draft, anyway);
    if (inputs.length === 0) return false;
    if (!anyway && asksFirst(forecast)) {
      this.isAsking = true;
      return false;
    }
    this.submitting = true;
    this.error = null;
    this.droppedSource.leave();
    try {
      for (const input of inputs) {
        await this.#api.call('jobs.create', { ...input, ...(predecessor !== undefined && { predecessor }) });
        // A second click must not start it twice.
        this.form.startedFirst();
      }
      this.close();
      return true;
    } catch (error) {
      this.error = errorViewOf(error);
      return false;
    } finally {
      this.submitting = false;
    }
  }
}
