import type { ErrorView, ForecastView, SourceView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';
import {
  type Draft,
  type DraftField,
  draftFrom,
  draftInputs,
  draftProblems,
  plainDraft,
} from '../screens/new-asset/draft/draft.ts';
import { asksFirst, longestForecast } from '../screens/new-asset/draft/forecast.ts';
import { describeLastChoice } from '../screens/new-asset/draft/last-choice.ts';

/** Where the sheet stands. */
export type SheetView =
  | { readonly kind: 'closed' }
  | { readonly kind: 'inspecting'; readonly paths: readonly string[] }
  | { readonly kind: 'unusable'; readonly paths: readonly string[]; readonly error: ErrorView }
  | { readonly kind: 'found'; readonly source: SourceView };

const noProblems: ReadonlyMap<DraftField, string> = new Map();

/** The New asset sheet: from dropped paths to started jobs. */
export class NewAssetState {
  view: SheetView = $state.raw({ kind: 'closed' });
  draft: Draft | null = $state.raw(null);
  /** Shown once Upload was tried, then kept true to the draft. JSON is checked while it is typed. */
  problems: ReadonlyMap<DraftField, string> = $derived.by(() => this.#findProblems());
  /** How long it will take; of several assets, the one that takes longest. Null while that is unknown. */
  forecast: ForecastView | null = $derived.by(() => this.#findForecast());
  /** What was taken over from last time, in words; null for nothing. */
  asLastTime: string | null = $state.raw(null);
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
      this.asLastTime = describeLastChoice(source);
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

  /** One of the parts, by its place. */
  changePart(index: number, change: Partial<Omit<Draft['parts'][number], 'part'>>): void {
    if (!this.draft) return;
    const parts = this.draft.parts.map((part, at) => (at === index ? { ...part, ...change } : part));
    this.draft = { ...this.draft, parts };
  }

  /** Leaves what was chosen last time: type and options as if there had been none. What was typed stays. */
  forgetLastTime(): void {
    if (this.view.kind !== 'found' || !this.draft) return;
    const { name, description, split, parts } = this.draft;
    const plain = plainDraft(this.view.source);
    this.draft = {
      ...plain,
      name,
      description,
      split,
      parts: plain.parts.map((part, at) => ({ ...part, name: parts[at]?.name ?? part.name })),
    };
    this.asLastTime = null;
  }

  close(): void {
    this.#round += 1;
    this.view = { kind: 'closed' };
    this.draft = null;
    this.submitting = false;
    this.asking = false;
  }

  /**
   * Starts a job for each asset. Gives false when something is missing, was refused, or has to be asked first; assets that were started before a refusal are
   * no longer in the draft then.
   */
  async submit(anyway = false): Promise<boolean> {
    if (this.view.kind !== 'found' || !this.draft || this.submitting) return false;
    this.#tried = true;
    this.asking = false;
    const inputs = draftInputs(this.view.source, this.draft, anyway);
    if (inputs.length === 0) return false;
    if (!anyway && asksFirst(this.forecast)) {
      this.asking = true;
      return false;
    }
    this.submitting = true;
    this.error = null;
    try {
      for (const input of inputs) {
        await this.#api.call('jobs.create', input);
        // Upload once more must not start it twice.
        if (this.draft?.split) this.change({ parts: this.draft.parts.slice(1) });
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

  #findProblems(): ReadonlyMap<DraftField, string> {
    if (!this.draft) return noProblems;
    const all = draftProblems(this.draft);
    if (this.#tried) return all;
    const whileTyping = all.get('furtherOptions');
    return whileTyping === undefined ? noProblems : new Map([['furtherOptions', whileTyping]]);
  }

  #findForecast(): ForecastView | null {
    if (this.view.kind !== 'found' || !this.draft) return null;
    return this.draft.split
      ? longestForecast(this.draft.parts.map(({ part }) => part.forecast))
      : this.view.source.forecast;
  }
}
