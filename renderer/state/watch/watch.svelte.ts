import type {
  ErrorRecord,
  HeldAnswer,
  RuleSnapshot,
  SourceAction,
  SourceSnapshot,
} from '../../../preload/contract.ts';
import { type Api, errorViewOf } from '../../api.ts';
import { announceWatch } from './watch-card.ts';

/** Sources of an opened rule, as main last told them. */
interface SourcesView {
  /** Null until main has answered once. */
  readonly list: readonly SourceSnapshot[] | null;
  readonly error: ErrorRecord | null;
}

/** So often at most something is said to those who listen rather than look. */
const calmMs = 5_000;

/** All watched folders, kept up to date by main's events, and the sources of those that are opened. */
export class WatchState {
  /** Null until main has answered. */
  folders: readonly RuleSnapshot[] | null = $state.raw(null);
  error: ErrorRecord | null = $state.raw(null);
  opened: ReadonlySet<string> = $state.raw(new Set());
  sources: ReadonlyMap<string, SourcesView> = $state.raw(new Map());
  /** Counts the changes of each rule's sources, for what follows them. */
  beats: ReadonlyMap<string, number> = $state.raw(new Map());
  announcement = $state('');
  readonly #api: Api;
  /** Rules whose sources are being asked for; true: once more after that. */
  readonly #asking = new Map<string, boolean>();
  #spokenOf: readonly RuleSnapshot[] = [];
  #speaking: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Sources under way and waiting, of all rules. */
  get busy(): number {
    return (this.folders ?? []).reduce((sum, { counts }) => sum + counts.underWay + counts.waiting, 0);
  }

  /** Listens first and asks then. Returns an unsubscribe function. */
  start(): () => void {
    const stop = this.#api.on('watch.changed', ({ folders, sourcesOf }) => {
      this.take(folders);
      this.#beat(sourcesOf);
    });
    void this.refresh();
    return () => {
      stop();
      if (this.#speaking !== null) clearTimeout(this.#speaking);
      this.#speaking = null;
    };
  }

  async refresh(): Promise<void> {
    const before = this.folders;
    this.error = null;
    try {
      const folders = await this.#api.call('watch.folders', null);
      // What an event has brought meanwhile is newer than the answer.
      if (this.folders === before) this.take(folders);
    } catch (thrown) {
      this.error = errorViewOf(thrown);
    }
  }

  /** Shows these as all there are. */
  take(folders: readonly RuleSnapshot[]): void {
    const first = this.folders === null;
    this.folders = folders;
    this.error = null;
    const known = new Set(folders.map(({ rule }) => rule.id));
    if ([...this.opened].some((id) => !known.has(id))) {
      this.opened = new Set([...this.opened].filter((id) => known.has(id)));
      this.sources = new Map([...this.sources].filter(([id]) => known.has(id)));
    }
    if (first) this.#spokenOf = folders;
    else this.#speakSoon();
  }

  toggle(ruleId: string): void {
    const opened = new Set(this.opened);
    if (!opened.delete(ruleId)) {
      opened.add(ruleId);
      void this.loadSources(ruleId);
    }
    this.opened = opened;
  }

  /** One question at a time for each rule; what changes meanwhile is asked for once more after it. */
  async loadSources(ruleId: string): Promise<void> {
    if (this.#asking.has(ruleId)) {
      this.#asking.set(ruleId, true);
      return;
    }
    this.#asking.set(ruleId, false);
    try {
      const list = await this.#api.call('watch.sources', ruleId);
      this.#putSources(ruleId, { list, error: null });
    } catch (thrown) {
      this.#putSources(ruleId, { list: this.sources.get(ruleId)?.list ?? null, error: errorViewOf(thrown) });
    }
    const again = this.#asking.get(ruleId) === true;
    this.#asking.delete(ruleId);
    if (again && this.opened.has(ruleId)) await this.loadSources(ruleId);
  }

  /** Shown at once; put back when it could not be kept. Throws `ApiError`. */
  async setOn(ruleId: string, on: boolean): Promise<void> {
    const before = this.folders;
    this.folders =
      before?.map((view) =>
        view.rule.id === ruleId
          ? { ...view, rule: { ...view.rule, on }, state: on ? 'looking' : 'paused' }
          : view,
      ) ?? null;
    const shown = this.folders;
    try {
      await this.#api.call('watch.setOn', { id: ruleId, on });
    } catch (thrown) {
      if (this.folders === shown) this.folders = before;
      throw thrown;
    }
  }

  /** Throws `ApiError`. */
  async remove(ruleId: string): Promise<void> {
    await this.#api.call('watch.remove', ruleId);
    this.take((this.folders ?? []).filter(({ rule }) => rule.id !== ruleId));
  }

  /** Throws `ApiError`. */
  async act(source: SourceSnapshot, action: SourceAction): Promise<void> {
    await this.#api.call('watch.act', { id: source.ruleId, path: source.path, action });
    await this.loadSources(source.ruleId);
  }

  /** To the question that a rule asks. Throws `ApiError`. */
  async answer(ruleId: string, answer: HeldAnswer): Promise<void> {
    await this.#api.call('watch.answer', { id: ruleId, answer });
    if (this.opened.has(ruleId)) await this.loadSources(ruleId);
  }

  /** Null: every rule's. Gives where they were written, null when the person cancelled. Throws `ApiError`. */
  async exportReceipts(ruleId: string | null, format: 'csv' | 'json'): Promise<string | null> {
    return this.#api.call('watch.exportReceipts', { id: ruleId, format });
  }

  #beat(ruleIds: readonly string[]): void {
    if (ruleIds.length === 0) return;
    const beats = new Map(this.beats);
    for (const id of ruleIds) {
      beats.set(id, (beats.get(id) ?? 0) + 1);
      if (this.opened.has(id)) void this.loadSources(id);
    }
    this.beats = beats;
  }

  #putSources(ruleId: string, view: SourcesView): void {
    this.sources = new Map(this.sources).set(ruleId, view);
  }

  /** Collects what happens within a few seconds into one sentence. */
  #speakSoon(): void {
    if (this.#speaking !== null) return;
    this.#speaking = setTimeout(() => {
      this.#speaking = null;
      const folders = this.folders ?? [];
      const words = announceWatch(this.#spokenOf, folders);
      this.#spokenOf = folders;
      if (words !== '') this.announcement = words;
    }, calmMs);
  }
}
