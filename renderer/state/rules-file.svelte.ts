import type { UnreadableRuleView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** Watch rules as they stand in files. */
export class RulesFileState {
  unreadable: readonly UnreadableRuleView[] = $state.raw([]);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Throws `ApiError`. */
  async load(): Promise<void> {
    this.unreadable = await this.#api.call('rules.unreadable', null);
  }

  /** Of one rule, or of all (null). Gives where they were written, null when cancelled. Throws `ApiError`. */
  async export(ruleId: string | null): Promise<string | null> {
    return this.#api.call('rules.export', ruleId);
  }

  /** Throws `ApiError`. */
  async remove(id: string): Promise<void> {
    this.unreadable = await this.#api.call('rules.removeUnreadable', id);
  }
}
