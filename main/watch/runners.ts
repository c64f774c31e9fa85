import type { WatchRule } from './model/rule.ts';
import type { RuleRunner } from './runner.ts';

interface RunnersOptions {
  readonly ruleOf: (ruleId: string) => WatchRule | undefined;
  readonly make: (rule: WatchRule) => RuleRunner;
}

/** One runner for each rule that is on. */
export class Runners {
  readonly #options: RunnersOptions;
  readonly #running = new Map<string, RuleRunner>();
  readonly #work = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: RunnersOptions) {
    this.#options = options;
  }

  get(ruleId: string): RuleRunner | undefined {
    return this.#running.get(ruleId);
  }

  values(): Iterable<RuleRunner> {
    return this.#running.values();
  }

  /** Restarts the rule's runner with the current rule. */
  renew(ruleId: string): Promise<void> {
    const runner = this.#running.get(ruleId);
    this.#running.delete(ruleId);
    const previousWork = this.#work.get(ruleId) ?? Promise.resolve();
    const work = previousWork.then(async () => {
      await runner?.stop();
      const rule = this.#options.ruleOf(ruleId);
      if (!rule?.on || this.#isStopped || this.#running.has(ruleId)) return;
      const nextRunner = this.#options.make(rule);
      this.#running.set(ruleId, nextRunner);
      nextRunner.start();
    });
    this.#work.set(ruleId, work);
    return work;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#running.keys()].map((ruleId) => this.renew(ruleId)));
    await Promise.all(this.#work.values());
  }
}
