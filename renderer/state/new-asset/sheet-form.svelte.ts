import type { ErrorRecord, Forecast, SourceView } from '../../../preload/contract.ts';
import { findKind } from '../../../shared/kinds.ts';
import { type Api, errorViewOf } from '../../api.ts';
import type { OptionValues } from '../options/options.ts';
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
import type { DroppedSource } from './dropped.svelte.ts';

/** Key of a finding's refusal; `group`: the asset, null for all files as one. */
export const refusalKey = (id: string, group: number | null): string =>
  group === null ? id : `${group}/${id}`;

const noProblems: ReadonlyMap<DraftField, string> = new Map();

export class SheetForm {
  readonly #api: Api;
  readonly #droppedSource: DroppedSource;
  #suggestion: Draft | null = null;
  #hasTried = $state(false);
  draft: Draft | null = $state.raw(null);
  /** Shown after the first *Upload*, then updated with the draft. JSON is checked while typing. */
  problems: ReadonlyMap<DraftField, string> = $derived.by(() => this.#problems());
  refusals: ReadonlyMap<string, ErrorRecord> = $state.raw(new Map());
  /** Text about settings from the last asset, or null. */
  lastChoiceText: string | null = $state.raw(null);
  /** The longest duration of all assets; null if unavailable. */
  forecast: Forecast | null = $derived.by(() => {
    const { source } = this.#droppedSource;
    if (!source || !this.draft?.split) return this.draft ? (source?.forecast ?? null) : null;
    return longestForecast(this.draft.separate.map((asset) => asset.source.forecast));
  });

  constructor(api: Api, droppedSource: DroppedSource) {
    this.#api = api;
    this.#droppedSource = droppedSource;
  }

  clear(): void {
    this.draft = null;
    this.#suggestion = null;
    this.#hasTried = false;
    this.refusals = new Map();
    this.lastChoiceText = null;
  }

  /** Fills in the suggestion, or the values of the job to correct. */
  fill(source: SourceView): void {
    this.draft = source.asSent ? draftAsSent(source, source.asSent) : draftFrom(source);
    this.#suggestion = this.draft;
    this.lastChoiceText = source.asSent ? null : describeLastChoice(source);
  }

  /** The same for an extended source; typed values stay. */
  fillFurther(source: SourceView, previous: SourceView): void {
    const [draft, suggestion] = [this.draft, this.#suggestion];
    if (!draft || !suggestion) return;
    const isForgotten = this.lastChoiceText === null && describeLastChoice(previous) !== null;
    const initialDraft = isForgotten ? plainDraft(source) : draftFrom(source);
    const mergedDraft = keepTyped(initialDraft, source, { source: previous, suggestion, draft });
    const { isNew, ...numberedDraft } = numberAssets(mergedDraft, source);
    this.draft = { ...mergedDraft, ...numberedDraft };
    this.#suggestion = initialDraft;
    this.lastChoiceText = isForgotten ? null : describeLastChoice(source);
    if (isNew) void this.#lookAtAssets();
  }

  /** True if closing the sheet loses input. */
  get isTyped(): boolean {
    return this.draft !== null && this.#suggestion !== null && hasTyped(this.draft, this.#suggestion);
  }

  showProblems(): void {
    this.#hasTried = true;
  }

  change(part: Partial<Draft>): void {
    if (this.draft) this.draft = { ...this.draft, ...part };
  }

  changeSeparate(index: number, change: Partial<Omit<Draft['separate'][number], 'source'>>): void {
    const separateAssets = this.draft?.separate.map((asset, position) =>
      position === index ? { ...asset, ...change } : asset,
    );
    if (separateAssets) this.change({ separate: separateAssets });
  }

  startedFirst(): void {
    const [asset, ...separateAssets] = this.draft?.split ? this.draft.separate : [];
    if (asset) this.change({ separate: separateAssets, started: [...(this.draft?.started ?? []), asset] });
  }

  move(assets: Pick<Draft, 'separate' | 'removed'>): void {
    const { source } = this.#droppedSource;
    if (!source) return;
    const { isNew, ...numberedDraft } = numberAssets(assets, source);
    this.change({ ...numberedDraft, split: true });
    if (isNew) void this.#lookAtAssets();
  }

  /** Leaves out assets by index, unless that leaves none. */
  leaveOut(places: readonly number[]): void {
    const { draft } = this;
    if (!draft || places.length >= draft.separate.length) return;
    const removedPlaces = new Set(places);
    const [remaining, removedAssets] = [false, true].map((isOut) =>
      draft.separate.filter((_one, index) => removedPlaces.has(index) === isOut),
    );
    this.change({ separate: remaining ?? [], removed: [...draft.removed, ...(removedAssets ?? [])] });
  }

  async #lookAtAssets(): Promise<void> {
    if (!this.draft) return;
    const earlierAssets = await this.#droppedSource.regroup([...this.draft.separate, ...this.draft.removed]);
    const madeOf = new Map(earlierAssets.map(({ group, madeBefore }) => [group, madeBefore]));
    const withMade = (asset: Draft['separate'][number]): Draft['separate'][number] => {
      const madeBefore = asset.group === null ? undefined : madeOf.get(asset.group);
      return madeBefore ? { ...asset, source: { ...asset.source, madeBefore } } : asset;
    };
    if (this.draft && earlierAssets.length > 0)
      this.change({ separate: this.draft.separate.map(withMade), removed: this.draft.removed.map(withMade) });
  }

  include(pieces: readonly number[], targetIndex: number): void {
    for (const piece of pieces) {
      const { source } = this.#droppedSource;
      if (!source || !this.draft) return;
      if (this.draft.split) this.move(includePiece(this.draft, piece, targetIndex, source));
      else this.change({ pieces: [...this.draft.pieces, piece] });
    }
  }

  takeOut(piece: number): void {
    const { source } = this.#droppedSource;
    if (!source || !this.draft) return;
    if (this.draft.split) this.move(takeOutPiece(this.draft, piece, source));
    else this.change({ pieces: this.draft.pieces.filter((index) => index !== piece) });
  }

  /** Resets type and options from the last asset; typed values stay. */
  forgetLastTime(): void {
    const { source } = this.#droppedSource;
    if (!source || !this.draft) return;
    this.draft = withoutLastChoice(this.draft, source);
    this.lastChoiceText = null;
  }

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
      this.#fillOptions(optionsOf(way), group);
      this.#decide(group, { ...this.#decisionsOf(group), [id]: way });
      if (optionsOf(way) === null) void this.#check(id, way, group);
    }
  }

  undoDecision(id: string, group: number | null = null): void {
    const { [id]: undoneDecision, ...decisions } = this.#decisionsOf(group);
    this.#refuse(id, group, null);
    const filledValues = undoneDecision ? optionsOf(undoneDecision) : null;
    if (filledValues)
      this.#fillOptions(Object.fromEntries(Object.keys(filledValues).map((name) => [name, ''])), group);
    this.#decide(group, decisions);
  }

  #decisionsOf(group: number | null): Decisions {
    const owner = group === null ? this.draft : this.draft?.separate[this.#placeOf(group)];
    return owner?.decisions ?? {};
  }

  #decide(group: number | null, decisions: Decisions): void {
    this.#changeIn(group, { decisions });
  }

  #changeIn(
    group: number | null,
    part: Partial<Pick<Draft, 'assetType' | 'sourceType' | 'decisions'>>,
  ): void {
    if (group === null) this.change(part);
    else this.changeSeparate(this.#placeOf(group), part);
  }

  #placeOf(group: number): number {
    return this.draft?.separate.findIndex((asset) => asset.group === group) ?? -1;
  }

  /** Reverts a decision that main refuses: *Upload* would fail later. */
  async #check(id: string, decision: Decision, group: number | null): Promise<void> {
    this.#refuse(id, group, null);
    const { source } = this.#droppedSource;
    if (!source || !this.draft) return;
    try {
      for (const input of checkedInputs(source, this.draft)) await this.#api.call('jobs.check', input);
    } catch (error) {
      if (this.#decisionsOf(group)[id] !== decision) return;
      this.undoDecision(id, group);
      this.#refuse(id, group, errorViewOf(error));
    }
  }

  #refuse(id: string, group: number | null, error: ErrorRecord | null): void {
    const key = refusalKey(id, group);
    const remaining = [...this.refusals].filter(([refusal]) => refusal !== key);
    this.refusals = new Map(error ? [...remaining, [key, error]] : remaining);
  }

  /** Fills options into the form, where they stay visible and editable. */
  #fillOptions(filledValues: Partial<OptionValues> | null, group: number | null): void {
    if (!this.draft || filledValues === null) return;
    const asset = group === null ? null : this.draft.separate[this.#placeOf(group)];
    const settings = asset?.ownSettings ?? settingsOf(this.draft);
    const options = { ...settings.options, ...filledValues };
    if (group === null) this.change({ options });
    else this.changeSeparate(this.#placeOf(group), { ownSettings: { ...settings, options } });
  }

  #problems(): ReadonlyMap<DraftField, string> {
    if (!this.draft) return noProblems;
    const problems = draftProblems(this.draft);
    if (this.#hasTried) return problems;
    const whileTyping = problems.get('furtherOptions');
    return whileTyping === undefined ? noProblems : new Map([['furtherOptions', whileTyping]]);
  }
}

/** The options that a decision fills in; null if it changes files. */
function optionsOf(decision: Decision): Partial<OptionValues> | null {
  if (decision.kind === 'tileset-root') return { tilesetJson: decision.key };
  if (decision.kind === 'option') return { [decision.option]: decision.value };
  if (decision.kind !== 'position') return null;
  const { longitude, latitude, height } = decision;
  return { longitude: String(longitude), latitude: String(latitude), height: String(height) };
}
