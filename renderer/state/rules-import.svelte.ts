import type { ErrorRecord, FileRuleView, RulesFileView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

export interface ImportDraft {
  readonly index: number;
  readonly fileRule: FileRuleView;
  readonly isSelected: boolean;
  readonly accountId: string;
  /** Null: the file's folder. */
  readonly folder: string | null;
  readonly replace: boolean;
  readonly existing: 'leave' | 'upload';
}

export function lacksFolder({ fileRule, folder }: ImportDraft): boolean {
  return !fileRule.isThere && folder === null;
}

export class RulesImportState {
  file: RulesFileView | null = $state.raw(null);
  drafts: readonly ImportDraft[] = $state.raw([]);
  /** Why the import failed, and for which rule; null for the whole file. */
  refusal: { readonly index: number | null; readonly error: ErrorRecord } | null = $state.raw(null);
  /** The person tried to submit: rules without a folder are marked. */
  hasSubmitted = $state(false);
  importing = $state(false);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get selected(): readonly ImportDraft[] {
    return this.drafts.filter(({ isSelected }) => isSelected);
  }

  /** Shows the system's dialog, then the sheet. Throws `ApiError`. */
  async open(): Promise<void> {
    const file = await this.#api.call('rules.open', null);
    if (file === null) return;
    this.refusal = null;
    this.hasSubmitted = false;
    this.drafts = file.kind === 'rules' ? file.rules.map(draftOf) : [];
    this.file = file;
  }

  close(): void {
    if (!this.importing) this.file = null;
  }

  change(index: number, part: Partial<Omit<ImportDraft, 'index' | 'given'>>): void {
    this.drafts = this.drafts.map((draft) => (draft.index === index ? { ...draft, ...part } : draft));
    if (this.refusal?.index === null || this.refusal?.index === index) this.refusal = null;
  }

  async pickFolder(index: number): Promise<void> {
    const pickedFolder = await this.#api.call('watch.pickFolder', null);
    if (pickedFolder !== null) this.change(index, { folder: pickedFolder.path });
  }

  async copyProblems(): Promise<void> {
    await this.#api.call('rules.copyProblems', null);
  }

  /** Closes the sheet and returns the number of imported rules; null on an error, which the sheet shows. */
  async submit(): Promise<number | null> {
    const { file, selected } = this;
    if (file === null || this.importing || selected.length === 0) return null;
    this.hasSubmitted = true;
    this.refusal = null;
    if (selected.some(lacksFolder)) return null;
    this.importing = true;
    try {
      const answer = await this.#api.call('rules.import', {
        file: file.id,
        rules: selected.map(({ index, accountId, folder, replace, existing }) => {
          return { index, accountId, folder, replace, existing };
        }),
      });
      if (answer.kind === 'refused') {
        this.refusal = { index: answer.index, error: answer.error };
        return null;
      }
      this.file = null;
      return answer.count;
    } catch (error) {
      this.refusal = { index: null, error: errorViewOf(error) };
      return null;
    } finally {
      this.importing = false;
    }
  }
}

function draftOf(fileRule: FileRuleView, index: number): ImportDraft {
  const { accountId } = fileRule;
  return { index, fileRule, isSelected: true, accountId, folder: null, replace: true, existing: 'leave' };
}
