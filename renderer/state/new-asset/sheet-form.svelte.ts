import type { ErrorRecord, Forecast, SourceView } from '../../../preload/contract.ts';
import { findKind } from '../../../shared/kinds.ts';
import { type Api, errorViewOf } from '../../api.ts';
import { draftAsSent } from './draft/correction.ts';
import type { Decision, Decisions, Way } from './draft/decisions.ts';
import {
  checkedInputs,
  type Draft,
  type DraftField,
  draftFrom,
  draftProblems,
  plainDraft,
  settingsOf,
} from './draft/draft.ts';
import { longestForecast } from './draft/forecast.ts';
import { keepTyped } from './draft/further-drop.ts';
import { describeLastChoice, withoutLastChoice } from './draft/last-choice.ts';
import { includePiece, numberAssets, takeOutPiece } from './draft/proposal.ts';
import { hasTyped } from './draft/typed.ts';
import type { Dropped } from './dropped.svelte.ts';

/** Of a finding, by its id; `group`: of one of several assets. */
export const refusalKey = (id: string, group: number | null): string =>
  group === null ? id : `${group}/${id}`;

const noProblems: ReadonlyMap<DraftField, string> = new Map();

/** What a person fills in on the New asset sheet, and what they decide about the files. */
export class SheetForm {
  readonly #api: Api;
  readonly #dropped: Dropped;
  /** As it was suggested. */
  #first: Draft | null = null;
  #tried = $state(false);
  draft: Draft | null = $state.raw(null);
  /** Shown once Upload was tried, then kept true to the draft. JSON is checked while it is typed. */
  problems: ReadonlyMap<DraftField, string> = $derived.by(() => this.#problems());
  /** Why what was decided about a finding can't be carried out, by `refusalKey`. */
  refusals: ReadonlyMap<string, ErrorRecord> = $state.raw(new Map());
  /** What was taken over from last time, in words; null for nothing. */
  asLastTime: string | null = $state.raw(null);
  /** How long it will take; of several assets, the one that takes longest. Null while that is unknown. */
  forecast: Forecast | null = $derived.by(() => {
    const { source } = this.#dropped;
    if (!source || !this.draft?.split) return this.draft ? (source?.forecast ?? null) : null;
    return longestForecast(this.draft.separate.map((one) => one.source.forecast));
  });

  constructor(api: Api, dropped: Dropped) {
    this.#api = api;
    this.#dropped = dropped;
  }

  clear(): void {
    this.draft = null;
    this.#first = null;
    this.#tried = false;
    this.refusals = new Map();
    this.asLastTime = null;
  }

  /** As suggested for the source; of one that is corrected, as it was sent. */
  fill(source: SourceView): void {
    this.draft = source.asSent ? draftAsSent(source, source.asSent) : draftFrom(source);
    this.#first = this.draft;
    this.asLastTime = source.asSent ? null : describeLastChoice(source);
  }

  /** Likewise for one with more in it; what was typed and chosen stays. `before`: the one that was shown. */
  fillFurther(source: SourceView, before: SourceView): void {
    const [draft, first] = [this.draft, this.#first];
    if (!draft || !first) return;
    const isForgotten = this.asLastTime === null && describeLastChoice(before) !== null;
    const plain = isForgotten ? plainDraft(source) : draftFrom(source);
    const kept = keepTyped(plain, source, { source: before, first, draft });
    const { isNew, ...numbered } = numberAssets(kept, source);
    this.draft = { ...kept, ...numbered };
    this.#first = plain;
    this.asLastTime = isForgotten ? null : describeLastChoice(source);
    if (isNew) void this.#lookAtAssets();
  }

  /** Whether anything would be lost by closing the sheet. */
  get isTyped(): boolean {
    return this.draft !== null && this.#first !== null && hasTyped(this.draft, this.#first);
  }

  /** From now on what is missing is shown. */
  showProblems(): void {
    this.#tried = true;
  }

  change(part: Partial<Draft>): void {
    if (this.draft) this.draft = { ...this.draft, ...part };
  }

  /** One of several assets, by its place in the list. */
  changeSeparate(index: number, change: Partial<Omit<Draft['separate'][number], 'source'>>): void {
    const separate = this.draft?.separate.map((one, at) => (at === index ? { ...one, ...change } : one));
    if (separate) this.change({ separate });
  }

  /** The first of several assets is under way: it is not in the list any more, nor left out. */
  startedFirst(): void {
    const [one, ...separate] = this.draft?.split ? this.draft.separate : [];
    if (one) this.change({ separate, started: [...(this.draft?.started ?? []), one] });
  }

  /** Assets after a move by hand, as `draft/proposal.ts` gives them. */
  move(assets: Pick<Draft, 'separate' | 'removed'>): void {
    const { source } = this.#dropped;
    if (!source) return;
    const { isNew, ...numbered } = numberAssets(assets, source);
    this.change({ ...numbered, split: true });
    if (isNew) void this.#lookAtAssets();
  }

  /** Leaves out assets, by their places; all of them can't be. */
  leaveOut(places: readonly number[]): void {
    const { draft } = this;
    if (!draft || places.length >= draft.separate.length) return;
    const out = new Set(places);
    const [kept, gone] = [false, true].map((isOut) =>
      draft.separate.filter((_one, at) => out.has(at) === isOut),
    );
    this.change({ separate: kept ?? [], removed: [...draft.removed, ...(gone ?? [])] });
  }

  /** Main is told what the assets are: what is seen of each comes by events, what became of them at once. */
  async #lookAtAssets(): Promise<void> {
    if (!this.draft) return;
    const made = await this.#dropped.regroup([...this.draft.separate, ...this.draft.removed]);
    const madeOf = new Map(made.map(({ group, madeBefore }) => [group, madeBefore]));
    const withMade = (asset: Draft['separate'][number]): Draft['separate'][number] => {
      const madeBefore = asset.group === null ? undefined : madeOf.get(asset.group);
      return madeBefore ? { ...asset, source: { ...asset.source, madeBefore } } : asset;
    };
    if (this.draft && made.length > 0)
      this.change({
        separate: this.draft.separate.map(withMade),
        removed: this.draft.removed.map(withMade),
      });
  }

  /** Pieces that were left out go into an asset; where all is one, into that. */
  include(pieces: readonly number[], into: number): void {
    for (const piece of pieces) {
      const { source } = this.#dropped;
      if (!source || !this.draft) return;
      if (this.draft.split) this.move(includePiece(this.draft, piece, into, source));
      else this.change({ pieces: [...this.draft.pieces, piece] });
    }
  }

  /** Leaves a piece out again. */
  takeOut(piece: number): void {
    const { source } = this.#dropped;
    if (!source || !this.draft) return;
    if (this.draft.split) this.move(takeOutPiece(this.draft, piece, source));
    else this.change({ pieces: this.draft.pieces.filter((at) => at !== piece) });
  }

  /** Leaves what was chosen last time: type and options as if there had been none. What was typed stays. */
  forgetLastTime(): void {
    const { source } = this.#dropped;
    if (!source || !this.draft) return;
    this.draft = withoutLastChoice(this.draft, source);
    this.asLastTime = null;
  }

  /** Takes a way out of a finding, by the finding's id as its words have it; `group`: of one of several. */
  takeWayOut(
    id: string,
    way: Decision | Extract<Way, { kind: 'switch' | 'split' }>,
    group: number | null = null,
  ): void {
    if (way.kind === 'split') this.change({ split: true });
    else if (way.kind === 'switch') {
      const kind = findKind(way.sourceType);
      if (kind) this.#changeIn(group, { assetType: kind.assetType, sourceType: kind.sourceType });
    } else {
      if (way.kind === 'position') this.#place(way, group);
      this.#decide(group, { ...this.#decisionsOf(group), [id]: way });
      if (way.kind !== 'position') void this.#check(id, way, group);
    }
  }

  /** Leaves the files of a finding as they are. */
  undoDecision(id: string, group: number | null = null): void {
    const { [id]: undone, ...decisions } = this.#decisionsOf(group);
    this.#refuse(id, group, null);
    if (undone?.kind === 'position') this.#place(null, group);
    this.#decide(group, decisions);
  }

  #decisionsOf(group: number | null): Decisions {
    const of = group === null ? this.draft : this.draft?.separate[this.#placeOf(group)];
    return of?.decisions ?? {};
  }

  #decide(group: number | null, decisions: Decisions): void {
    this.#changeIn(group, { decisions });
  }

  /** In one of several assets, or where all are one. */
  #changeIn(
    group: number | null,
    part: Partial<Pick<Draft, 'assetType' | 'sourceType' | 'decisions'>>,
  ): void {
    if (group === null) this.change(part);
    else this.changeSeparate(this.#placeOf(group), part);
  }

  #placeOf(group: number): number {
    return this.draft?.separate.findIndex((one) => one.group === group) ?? -1;
  }

  /** What can't be carried out is told at once, and taken back: *Upload* would be refused. */
  async #check(id: string, decision: Decision, group: number | null): Promise<void> {
    this.#refuse(id, group, null);
    const { source } = this.#dropped;
    if (!source || !this.draft) return;
    try {
      for (const input of checkedInputs(source, this.draft)) await this.#api.call('jobs.check', input);
    } catch (thrown) {
      if (this.#decisionsOf(group)[id] !== decision) return;
      this.undoDecision(id, group);
      this.#refuse(id, group, errorViewOf(thrown));
    }
  }

  #refuse(id: string, group: number | null, error: ErrorRecord | null): void {
    const key = refusalKey(id, group);
    const others = [...this.refusals].filter(([one]) => one !== key);
    this.refusals = new Map(error ? [...others, [key, error]] : others);
  }

  /** In the form, where it can be seen and changed. */
  #place(position: Extract<Decision, { kind: 'position' }> | null, group: number | null): void {
    if (!this.draft) return;
    const text = (number: number | undefined) => (number === undefined ? '' : String(number));
    const { longitude, latitude, height } = position ?? {};
    const place = { longitude: text(longitude), latitude: text(latitude), height: text(height) };
    const asset = group === null ? null : this.draft.separate[this.#placeOf(group)];
    const settings = asset?.own ?? settingsOf(this.draft);
    const options = { ...settings.options, ...place };
    if (group === null) this.change({ options });
    else this.changeSeparate(this.#placeOf(group), { own: { ...settings, options } });
  }

  #problems(): ReadonlyMap<DraftField, string> {
    if (!this.draft) return noProblems;
    const all = draftProblems(this.draft);
    if (this.#tried) return all;
    const whileTyping = all.get('furtherOptions');
    return whileTyping === undefined ? noProblems : new Map([['furtherOptions', whileTyping]]);
  }
}
