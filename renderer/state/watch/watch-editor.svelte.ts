import type { DryRun, ErrorRecord, RuleSnapshot } from '../../../preload/contract.ts';
import { type Api, errorViewOf } from '../../api.ts';
import { errorWords } from '../../say.ts';
import {
  draftOfRule,
  folderOf,
  looksLikeNetworkDrive,
  newWatchDraft,
  type WatchDraft,
  withKindOfEach,
  withPreset,
  withUnit,
} from './watch-draft.ts';
import type { DryRunState } from './watch-dry-run.ts';
import type { WatchPreset } from './watch-presets.ts';
import { fieldOfError, isWholePath, type WatchField, watchProblems } from './watch-problems.ts';
import { dryRunRuleOf, ruleOf } from './watch-rule.ts';

/** Delay between typing and the dry run. */
const typingMs = 400;
const whileTyping: readonly WatchField[] = ['furtherOptions'];

export class WatchEditorState {
  draft: WatchDraft | null = $state.raw(null);
  dryRun: DryRunState = $state.raw({ kind: 'none' });
  /** Include existing contents; for a changed rule, those it newly covers. */
  takeExisting = $state(false);
  saving = $state(false);
  error: ErrorRecord | null = $state.raw(null);
  #hasTried = $state(false);
  /** Problems by field: missing values after the first save; main's errors and invalid JSON at once. */
  problems: ReadonlyMap<WatchField, string> = $derived.by(() => this.#problems());
  readonly #api: Api;
  readonly #newId: () => string;
  readonly #onSaved: (folders: readonly RuleSnapshot[]) => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastQuestion = '';
  #confirming: Promise<void> | null = null;
  #round = 0;

  /** `onSaved` receives all watched folders, so that they show when the sheet closes. */
  constructor(api: Api, newId: () => string, onSaved: (folders: readonly RuleSnapshot[]) => void) {
    this.#api = api;
    this.#newId = newId;
    this.#onSaved = onSaved;
    api.on('watch.dryRunLooked', (inspection) => {
      if (this.dryRun.kind === 'found') this.dryRun = { ...this.dryRun, inspection };
    });
  }

  openNew(accountId: string): void {
    this.#openDraft(withKindOfEach(newWatchDraft(this.#newId(), accountId)));
  }

  openRule({ rule, isNetworkDrive }: RuleSnapshot): void {
    this.#openDraft(draftOfRule(rule, isNetworkDrive));
  }

  close(): void {
    if (this.draft) this.#api.call('watch.leaveDryRun', null).catch(() => {});
    this.#forgetDryRun();
    this.draft = null;
    this.saving = false;
  }

  change(part: Partial<WatchDraft>): void {
    if (this.draft) this.#storeDraft({ ...this.draft, ...part });
  }

  decideKindOfEach(): void {
    if (this.draft) this.#storeDraft(withKindOfEach(this.draft));
  }

  chooseUnit(unit: WatchDraft['unit']): void {
    if (this.draft) this.#storeDraft(withUnit(this.draft, unit));
  }

  typeFolder(folder: string): void {
    this.change({ folder, isNetworkDrive: looksLikeNetworkDrive(folder) });
  }

  choosePreset(preset: WatchPreset): void {
    if (this.draft) this.#storeDraft(withPreset(this.draft, preset));
  }

  takeFolder(path: string, isNetworkDrive = looksLikeNetworkDrive(path)): void {
    this.change({ folder: path, pickedFolder: path, isNetworkDrive });
  }

  /** Throws `ApiError` if the system's dialog fails. */
  async pick(): Promise<void> {
    const folder = await this.#api.call('watch.pickFolder', null);
    if (folder) this.takeFolder(folder.path, folder.isNetworkDrive);
  }

  /** Main asks whether to use a typed folder; then it is previewed. Never asks twice at once. */
  confirmFolder(): Promise<void> {
    this.#confirming ??= this.#confirm().finally(() => {
      this.#confirming = null;
    });
    return this.#confirming;
  }

  async #confirm(): Promise<void> {
    if (!this.draft || isConfirmed(this.draft)) return;
    const path = folderOf(this.draft);
    if (!isWholePath(path)) return;
    const isStillTyped = () => this.draft !== null && folderOf(this.draft) === path;
    try {
      const folder = await this.#api.call('watch.pickFolder', path);
      if (folder && isStillTyped()) this.takeFolder(folder.path, folder.isNetworkDrive);
    } catch (error) {
      if (isStillTyped()) this.dryRun = { kind: 'failed', error: errorViewOf(error) };
    }
  }

  /** Returns false if something is missing or was refused. */
  async submit(): Promise<boolean> {
    if (!this.draft || this.saving) return false;
    this.#hasTried = true;
    await this.confirmFolder();
    const { draft } = this;
    if (!draft || this.saving || !isConfirmed(draft)) return false;
    const rule = ruleOf(draft);
    if (!rule) return false;
    this.saving = true;
    this.error = null;
    try {
      const { takeExisting } = this;
      this.#onSaved(await this.#api.call('watch.save', { rule, takeExisting }));
      this.close();
      return true;
    } catch (error) {
      this.error = errorViewOf(error);
      return false;
    } finally {
      this.saving = false;
    }
  }

  #openDraft(draft: WatchDraft): void {
    this.#forgetDryRun();
    this.#hasTried = false;
    this.takeExisting = false;
    this.#storeDraft(draft, 0);
  }

  #storeDraft(draft: WatchDraft, afterMs = typingMs): void {
    // The choice was about the contents of another folder.
    if (draft.folder !== this.draft?.folder) this.takeExisting = false;
    this.draft = draft;
    this.error = null;
    const rule = isConfirmed(draft) ? dryRunRuleOf(draft) : null;
    const question = rule === null ? '' : JSON.stringify(rule);
    if (rule !== null && question === this.#lastQuestion) return;
    this.#stopLooking();
    this.#lastQuestion = question;
    if (rule === null) {
      this.dryRun = { kind: 'none' };
      return;
    }
    const round = this.#round;
    this.dryRun = { kind: 'looking', previous: foundBy(this.dryRun) };
    this.#timer = setTimeout(() => {
      this.#api.call('watch.dryRun', rule).then(
        (run) => {
          if (round === this.#round) this.dryRun = { kind: 'found', run, inspection: null };
        },
        (error) => {
          if (round !== this.#round) return;
          this.dryRun = { kind: 'failed', error: errorViewOf(error) };
          this.takeExisting = false;
        },
      );
    }, afterMs);
  }

  #forgetDryRun(): void {
    this.#stopLooking();
    this.#lastQuestion = '';
    this.dryRun = { kind: 'none' };
    this.error = null;
  }

  #stopLooking(): void {
    this.#round += 1;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #problems(): ReadonlyMap<WatchField, string> {
    const { draft } = this;
    if (!draft) return new Map();
    const byField = watchProblems(draft);
    const problems = new Map([...byField].filter(([field]) => this.#hasTried || whileTyping.includes(field)));
    for (const error of [this.dryRun.kind === 'failed' ? this.dryRun.error : null, this.error]) {
      const field = error && fieldOfError(error, draft);
      if (error && field) problems.set(field, errorWords(error));
    }
    return problems;
  }
}

/** False for a typed path until the user confirmed it. */
function isConfirmed(draft: WatchDraft): boolean {
  return folderOf(draft) === draft.pickedFolder;
}

function foundBy(state: DryRunState): DryRun | null {
  if (state.kind === 'found') return state.run;
  return state.kind === 'looking' ? state.previous : null;
}
