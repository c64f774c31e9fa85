import type { ErrorView, SourceView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';
import { type Draft, type DraftField, draftFrom, draftInput, draftProblems } from '../words/draft.ts';
import { asksFirst } from '../words/forecast.ts';

/** Where the sheet stands. */
export type SheetView =
  | { readonly kind: 'closed' }
  | { readonly kind: 'inspecting'; readonly paths: readonly string[] }
  | { readonly kind: 'unusable'; readonly paths: readonly string[]; readonly error: ErrorView }
  | { readonly kind: 'found'; readonly source: SourceView };

const noProblems: ReadonlyMap<DraftField, string> = new Map();

/** The New asset sheet: from dropped paths to a started job. */
export class NewAssetState {
  view: SheetView = $state.raw({ kind: 'closed' });
  draft: Draft | null = $state.raw(null);
  /** Shown once Upload was tried, then kept true to the draft. */
  problems: ReadonlyMap<DraftField, string> = $derived.by(() =>
    this.#tried && this.draft ? draftProblems(this.draft) : noProblems,
  );
  /** The choice between files and folders is open. */
  choosing = $state(false);
  submitting = $state(false);
  /** The forecast does not fit: the person is asked whether to upload anyway. */
  asking = $state(false);
  error: ErrorView | null = $state.raw(null);
  #tried = $state(false);
  readonly #api: Api;
  #round = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Looks at what was dropped or picked. A newer call replaces an older one. */
  async open(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 || this.submitting) return;
    const round = ++this.#round;
    this.view = { kind: 'inspecting', paths };
    this.draft = null;
    this.error = null;
    this.asking = false;
    this.#tried = false;
    try {
      const source = await this.#api.call('source.inspect', { paths });
      if (round !== this.#round) return;
      this.draft = draftFrom(source);
      this.view = { kind: 'found', source };
    } catch (thrown) {
      if (round === this.#round) this.view = { kind: 'unusable', paths, error: errorViewOf(thrown) };
    }
  }

  /** Throws `ApiError` when the system's dialog can't be shown. */
  async pick(kind: 'folder' | 'files'): Promise<void> {
    await this.open(await this.#api.call('source.pick', kind));
  }

  change(part: Partial<Draft>): void {
    if (this.draft) this.draft = { ...this.draft, ...part };
  }

  close(): void {
    this.#round += 1;
    this.view = { kind: 'closed' };
    this.draft = null;
    this.submitting = false;
    this.asking = false;
  }

  /** Gives the new job's id, or null when something is missing, was refused, or has to be asked first. */
  async submit(anyway = false): Promise<string | null> {
    if (this.view.kind !== 'found' || !this.draft || this.submitting) return null;
    this.#tried = true;
    this.asking = false;
    const input = draftInput(this.view.source, this.draft, anyway);
    if (!input) return null;
    if (!anyway && asksFirst(this.view.source.forecast)) {
      this.asking = true;
      return null;
    }
    this.submitting = true;
    this.error = null;
    try {
      const id = await this.#api.call('jobs.create', input);
      this.close();
      return id;
    } catch (thrown) {
      this.error = errorViewOf(thrown);
      return null;
    } finally {
      this.submitting = false;
    }
  }
}
