import type {
  ErrorRecord,
  HeldAnswer,
  RuleSnapshot,
  SourceAction,
  SourceSnapshot,
} from '../../../preload/contract.ts';
import { type Api, errorViewOf } from '../../api.ts';
import { announceWatch } from './watch-card.ts';

interface SourcesView {
  readonly list: readonly SourceSnapshot[] | null;
  readonly error: ErrorRecord | null;
}

/** Interval between announcements to screen readers. */
const calmMs = 5_000;

/**
 * All watched folders and the sources of opened ones, kept up to date by main's events. Methods throw
 * `ApiError`.
 */
export class WatchState {
  folders: readonly RuleSnapshot[] | null = $state.raw(null);
  error: ErrorRecord | null = $state.raw(null);
  openedIds: ReadonlySet<string> = $state.raw(new Set());
  sources: ReadonlyMap<string, SourcesView> = $state.raw(new Map());
  /** Counts changes to each rule's sources. */
  beats: ReadonlyMap<string, number> = $state.raw(new Map());
  announcement = $state('');
  readonly #api: Api;
  /** Rules whose sources are loading; true: load them again afterwards. */
  readonly #pendingRequests = new Map<string, boolean>();
  #spokenOf: readonly RuleSnapshot[] = [];
  #speaking: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api) {
    this.#api = api;
  }

  get busy(): number {
    return (this.folders ?? []).reduce((sum, { counts }) => sum + counts.underWay + counts.waiting, 0);
  }

  get failedCount(): number {
    return (this.folders ?? []).reduce((sum, { counts }) => sum + counts.failed, 0);
  }

  /** Subscribes before asking. Returns an unsubscribe function. */
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
    const previous = this.folders;
    this.error = null;
    try {
      const folders = await this.#api.call('watch.folders', null);
      // Events are newer than the answer.
      if (this.folders === previous) this.take(folders);
    } catch (error) {
      this.error = errorViewOf(error);
    }
  }

  take(folders: readonly RuleSnapshot[]): void {
    const isFirst = this.folders === null;
    this.folders = folders;
    this.error = null;
    const ruleIds = new Set(folders.map(({ rule }) => rule.id));
    if ([...this.openedIds].some((id) => !ruleIds.has(id))) {
      this.openedIds = new Set([...this.openedIds].filter((id) => ruleIds.has(id)));
      this.sources = new Map([...this.sources].filter(([id]) => ruleIds.has(id)));
    }
    if (isFirst) this.#spokenOf = folders;
    else this.#speakSoon();
  }

  toggle(ruleId: string): void {
    const openedIds = new Set(this.openedIds);
    if (!openedIds.delete(ruleId)) {
      openedIds.add(ruleId);
      void this.loadSources(ruleId);
    }
    this.openedIds = openedIds;
  }

  /** One request per rule at a time; changes during it trigger another. */
  async loadSources(ruleId: string): Promise<void> {
    if (this.#pendingRequests.has(ruleId)) {
      this.#pendingRequests.set(ruleId, true);
      return;
    }
    this.#pendingRequests.set(ruleId, false);
    try {
      const list = await this.#api.call('watch.sources', ruleId);
      this.#putSources(ruleId, { list, error: null });
    } catch (error) {
      this.#putSources(ruleId, { list: this.sources.get(ruleId)?.list ?? null, error: errorViewOf(error) });
    }
    const isStale = this.#pendingRequests.get(ruleId) === true;
    this.#pendingRequests.delete(ruleId);
    if (isStale && this.openedIds.has(ruleId)) await this.loadSources(ruleId);
  }

  /** Shown at once; reverted if it can't be saved. */
  async setOn(ruleId: string, isOn: boolean): Promise<void> {
    const previous = this.folders;
    this.folders =
      previous?.map((view) =>
        view.rule.id === ruleId
          ? { ...view, rule: { ...view.rule, on: isOn }, state: isOn ? 'looking' : 'paused' }
          : view,
      ) ?? null;
    const optimistic = this.folders;
    try {
      await this.#api.call('watch.setOn', { id: ruleId, isOn });
    } catch (error) {
      if (this.folders === optimistic) this.folders = previous;
      throw error;
    }
  }

  async remove(ruleId: string): Promise<void> {
    await this.#api.call('watch.remove', ruleId);
    this.take((this.folders ?? []).filter(({ rule }) => rule.id !== ruleId));
  }

  async performAction(source: SourceSnapshot, action: SourceAction): Promise<void> {
    await this.#api.call('watch.act', { id: source.ruleId, path: source.path, action });
    await this.loadSources(source.ruleId);
  }

  async answer(ruleId: string, answer: HeldAnswer): Promise<void> {
    await this.#api.call('watch.answer', { id: ruleId, answer });
    if (this.openedIds.has(ruleId)) await this.loadSources(ruleId);
  }

  /** Null: receipts of all rules. Returns the file's path, null if the person cancelled. */
  async exportReceipts(ruleId: string | null, format: 'csv' | 'json'): Promise<string | null> {
    return this.#api.call('watch.exportReceipts', { id: ruleId, format });
  }

  #beat(ruleIds: readonly string[]): void {
    if (ruleIds.length === 0) return;
    const beats = new Map(this.beats);
    for (const id of ruleIds) {
      beats.set(id, (beats.get(id) ?? 0) + 1);
      if (this.openedIds.has(id)) void this.loadSources(id);
    }
    this.beats = beats;
  }

  #putSources(ruleId: string, view: SourcesView): void {
    this.sources = new Map(this.sources).set(ruleId, view);
  }

  /** Joins events of a few seconds into one announcement. */
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
