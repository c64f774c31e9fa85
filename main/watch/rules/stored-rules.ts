import { TileliftError } from '../../errors.ts';
import type { SettingsPort } from '../../settings-port.ts';
import { creationBodyOf } from '../finish/asset-name.ts';
import type { DryRun, DryRunFollower, FoundSource, WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { slicesOf } from '../model/scheduling.ts';
import { scanRule } from '../scan/scan-rule.ts';
import type { KindParts } from '../settle/kind.ts';
import { missingMarker } from '../settle/ready-gate.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import { type LedgerPorts, writeActivity } from '../state/ports.ts';
import { scanOptionsOf } from '../state/scan-options.ts';
import { type ForeseenSource, foreseeStates } from '../state/source-context.ts';
import { checkRule } from './check-rule.ts';
import { dryRunOf, findHeld } from './dry-run.ts';
import { concernedByEdit, decideEdit, keepUnderWay } from './edited-rule.ts';

interface StoredRulesOptions extends KindParts {
  readonly settings: SettingsPort<{ readonly watchRules: readonly WatchRule[] }>;
  readonly parts: LedgerPorts;
  readonly findings: SourceFindings;
  /** Returns null if allowed. Follows current links. */
  readonly refuseFolder: (folder: string) => Promise<TileliftError | null>;
  /** Restarts a rule's runner with the current rule. */
  readonly renew: (ruleId: string) => Promise<void>;
  readonly worker: URL | undefined;
}

type Rules = Pick<WatchService, 'checkAllowed' | 'save' | 'remove' | 'setOn' | 'dryRun'>;

/** The rules in the settings: saves, removes and switches them. */
export class StoredRules implements Rules {
  readonly #options: StoredRulesOptions;
  readonly #parts: LedgerPorts;
  readonly #lost = new Set<string>();

  constructor(options: StoredRulesOptions) {
    this.#options = options;
    this.#parts = options.parts;
  }

  /** A damaged journal lost ledger rows, so the user has to switch each rule on again. */
  switchAllOff(): void {
    const rules = this.#parts.rules();
    for (const { id } of rules) this.#lost.add(id);
    this.#keep(rules.map((rule) => ({ ...rule, on: false })));
  }

  isLost(ruleId: string): boolean {
    return this.#lost.has(ruleId);
  }

  async checkAllowed(folder: string): Promise<void> {
    const refusal = await this.#options.refuseFolder(folder);
    if (refusal) throw refusal;
  }

  async save(rule: WatchRule, takeExisting: boolean): Promise<void> {
    await this.#check(rule);
    const { ledger, clock, rules, ruleOf, onChange } = this.#parts;
    const previousRule = ruleOf(rule.id);
    const foresee = (foundBy: WatchRule) => this.#foresee(foundBy);
    const edit = previousRule && (await concernedByEdit(previousRule, rule, foresee));
    let skippedCount = edit && !takeExisting ? edit.concerned.length : 0;
    if (edit) await decideEdit(rule.id, edit, takeExisting, ledger, clock.now());
    else ledger.adopt(rule.id, ledger.rulesBefore(rule));
    if (!previousRule && !takeExisting) skippedCount = await this.#skipAll(rule);
    this.#lost.delete(rule.id);
    this.#keep(
      previousRule
        ? rules().map((storedRule) => (storedRule.id === rule.id ? rule : storedRule))
        : [...rules(), rule],
    );
    writeActivity(this.#parts, rule.id, { key: previousRule ? 'sources.ruleChanged' : 'sources.ruleMade' });
    if (skippedCount > 0)
      writeActivity(this.#parts, rule.id, { key: 'sources.existingLeft', values: { count: skippedCount } });
    await this.#options.renew(rule.id);
    if (edit && !takeExisting) keepUnderWay(rule.id, edit, ledger);
    onChange(rule.id);
  }

  remove(ruleId: string): void {
    const { ledger, clock, rules, ruleOf, onChange } = this.#parts;
    const rule = ruleOf(ruleId);
    if (!rule) return;
    ledger.leaveRule(rule, clock.now());
    this.#keep(rules().filter(({ id }) => id !== ruleId));
    void this.#options.renew(ruleId);
    onChange(ruleId);
  }

  setOn(ruleId: string, isOn: boolean): void {
    const { rules, ruleOf, onChange } = this.#parts;
    const rule = ruleOf(ruleId);
    if (!rule) throw new TileliftError('watch-rule-unknown');
    if (rule.on === isOn) return;
    this.#keep(rules().map((storedRule) => (storedRule.id === ruleId ? { ...rule, on: isOn } : storedRule)));
    writeActivity(this.#parts, ruleId, { key: isOn ? 'sources.switchedOn' : 'sources.switchedOff' });
    if (isOn) this.#lost.delete(ruleId);
    void this.#options.renew(ruleId);
    onChange(ruleId);
  }

  async dryRun(rule: WatchRule, follow?: DryRunFollower): Promise<DryRun> {
    await this.#check(rule);
    const { ledger, clock } = this.#parts;
    const { findings } = this.#options;
    const previousRule = this.#parts.ruleOf(rule.id);
    const ledgerRule = previousRule ? rule : { ...rule, id: ledger.rulesBefore(rule)[0] ?? rule.id };
    const [currentTime, pickedUpCount] = [clock.now(), ledger.takenSoFar(ledgerRule.id)];
    const nameOf = (source: FoundSource, index: number) =>
      creationBodyOf(ledgerRule, source, currentTime, pickedUpCount + index).name;
    const foreseen = await this.#foresee(rule, ledgerRule);
    const { run, candidates } = await dryRunOf(rule, foreseen, this.#options, nameOf);
    const foresee = async (foundBy: WatchRule) => (foundBy === rule ? foreseen : this.#foresee(foundBy));
    const concerned = previousRule ? (await concernedByEdit(previousRule, rule, foresee)).concerned : null;
    const newly = new Set(concerned?.map(({ path }) => path));
    if (follow) {
      const { onProgress, signal } = follow;
      void findHeld(rule, candidates, { findings, clock, newly, nameOf, onProgress }, signal);
    }
    if (!concerned) return run;
    const newlyHeld = run.sources.filter(({ path, held: reasons }) => reasons && newly.has(path)).length;
    return { ...run, newlyTaken: concerned.length, ...(newlyHeld > 0 && { newlyHeld }) };
  }

  /** Throws `checkRule`'s errors, or why the folder may not be watched. */
  async #check(rule: WatchRule): Promise<void> {
    await this.checkAllowed(rule.folder);
    await checkRule(rule, this.#parts.rules());
  }

  async #foresee(rule: WatchRule, ledgerRule = rule): Promise<readonly ForeseenSource[]> {
    const { ledger, clock } = this.#parts;
    return foreseeStates(ledgerRule, await this.#foundBy(rule), ledger, clock.now());
  }

  async #foundBy(rule: WatchRule): Promise<readonly FoundSource[]> {
    return (await scanRule(rule, scanOptionsOf(rule, this.#parts, this.#options.worker))).sources;
  }

  /** Skips all present sources and returns their number. */
  async #skipAll(rule: WatchRule): Promise<number> {
    const { ledger, clock } = this.#parts;
    const sources = (await this.#foundBy(rule)).filter(({ path }) => !ledger.find(rule.id, path));
    const [wholeFolder] = rule.unit.kind === 'whole-folder' ? sources : [];
    // Without its marker it isn't a delivery yet.
    if (wholeFolder && (await missingMarker(rule, wholeFolder)) !== null) return 0;
    const currentTime = clock.now();
    for await (const batch of slicesOf(sources)) ledger.markSkipped(rule.id, batch, currentTime);
    return sources.length;
  }

  #keep(changed: readonly WatchRule[]): void {
    this.#options.settings.update({ watchRules: changed });
  }
}
