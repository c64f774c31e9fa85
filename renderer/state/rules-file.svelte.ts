import type { UnreadableRuleView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** Watch rules from configuration files. Methods throw `ApiError`. */
export class RulesFileState {
  unreadable: readonly UnreadableRuleView[] = $state.raw([]);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    this.unreadable = await this.#api.call('rules.unreadable', null);
  }

  /** Exports one rule, or all (null). Returns the file's path, null if cancelled. */
  async export(ruleId: string | null): Promise<string | null> {
    return this.#api.call('rules.export', ruleId);
  }

  async remove(id: string): Promise<void> {
    this.unreadable = await this.#api.call('rules.removeUnreadable', id);
  }
}
