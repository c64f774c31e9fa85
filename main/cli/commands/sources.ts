import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { maxSourcesListed, sourceStates } from '../../../shared/watch.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { errorMessage, say, sayPhrase } from '../../say.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import { type Answers, actionFor, type SourceDecision, sourceDecisions } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';
import { runningTilelift } from '../running.ts';
import { UsageError } from '../usage-error.ts';

interface SourcesOptions {
  readonly rule?: string;
  readonly state?: string;
  readonly all: boolean;
}

type Rule = Answers['rules'][number];
type Source = Answers['sources']['sources'][number];

/** `tilelift sources`: what is in the watched folders, and what a person decides about it. */
export function addSources(program: Command, cli: Cli): void {
  const command = program
    .command('sources')
    .description(say('cli.sources.description'))
    .argument('[decision]', say('cli.sources.decision'))
    .argument('[paths...]', say('cli.sources.paths'))
    .option('--rule <rule>', say('cli.sources.optionRule'))
    .option('--state <state>', say('cli.sources.optionState', { states: sourceStates.join(', ') }))
    .option('--all', say('cli.sources.optionAll'), false)
    .action((decision: string | undefined, paths: string[], options: SourcesOptions) =>
      sources(cli, decision, paths, options),
    );
  addExamples(command, [
    'tilelift sources --state held',
    'tilelift sources upload "Flight 12" --rule Orthos',
    'tilelift sources dismiss --all --state failed',
  ]);
}

async function sources(
  cli: Cli,
  given: string | undefined,
  paths: readonly string[],
  options: SourcesOptions,
): Promise<void> {
  const decision = sourceDecisions.find((one) => one === given);
  if (given !== undefined && !decision) {
    const values = { decision: given, decisions: sourceDecisions.join(', ') };
    throw new UsageError({ key: 'cli.sources.unknownDecision', values });
  }
  const { state } = options;
  if (state !== undefined && !sourceStates.some((one) => one === state))
    throw new UsageError({
      key: 'cli.sources.unknownState',
      values: { state, states: sourceStates.join(', ') },
    });
  if (decision && paths.length === 0 && !options.all) throw new UsageError({ key: 'cli.sources.noPath' });
  const running = await runningTilelift(cli);
  try {
    const rules = rulesOf(await running.ask('rules', {}), options.rule);
    if (decision) await decide(cli, running, decision, { ...options, rules, paths });
    else await list(cli, running, rules, state);
  } finally {
    running.disconnect();
  }
}

function rulesOf(rules: Answers['rules'], given: string | undefined): ReadonlyMap<string, Rule> {
  const meant = rules.filter(({ id, name }) => given === undefined || given === id || given === name);
  if (given !== undefined && meant.length === 0)
    throw new UsageError({ key: 'cli.sources.noRule', values: { rule: given } });
  return new Map(meant.map((rule) => [rule.id, rule]));
}

async function list(
  cli: Cli,
  { ask }: RunningTilelift,
  rules: ReadonlyMap<string, Rule>,
  state: string | undefined,
): Promise<void> {
  const output = cli.output();
  let count = 0;
  for (const { id, name, folder, state: ruleState, notice } of rules.values()) {
    const { sources: all, isCut } = await ask('sources', { ruleId: id });
    const shown = all.filter((source) => state === undefined || source.state === state);
    const watcher = ruleState === 'standing-by' ? notice : null;
    if (shown.length > 0 || watcher) output.result({ key: 'cli.sources.rule', values: { name, folder } });
    if (watcher) output.result({ key: 'cli.sources.standingBy', values: { why: errorMessage(watcher) } });
    for (const source of shown) tellSource(cli, source, name);
    count += shown.length;
    if (isCut) output.tell({ key: 'cli.sources.cut', values: { count: maxSourcesListed } });
  }
  if (count === 0) output.tell({ key: 'cli.sources.none' });
  output.event({ event: 'result', exitCode: exitCodes.complete, sources: count });
  cli.finish(exitCodes.complete);
}

function tellSource(cli: Cli, source: Source, rule: string): void {
  const output = cli.output();
  const { path, state, why, at, actions, ...facts } = source;
  const choices = sourceDecisions.filter((one) => actionFor(source, one));
  const reason = why.map((one) => inEnglish.sayPhrase(one)).join(' ');
  output.event({ event: 'source', rule, path, state, why: reason, since: isoTime(at), choices, ...facts });
  const values = { state, when: { time: at }, path, why: why.map(sayPhrase).join(' ') };
  output.result({ key: 'cli.sources.line', values });
  if (choices.length > 0)
    output.result({ key: 'cli.sources.choices', values: { choices: choices.join(', ') } });
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

interface Meant {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly paths: readonly string[];
  readonly state?: string;
  readonly all: boolean;
}

/** Exit code 2 says that something named was not decided: it is not there, or its state does not allow it. */
async function decide(
  cli: Cli,
  { ask }: RunningTilelift,
  decision: SourceDecision,
  meant: Meant,
): Promise<void> {
  const output = cli.output();
  const missing = new Set(meant.paths);
  let [count, refused] = [0, 0];
  for (const rule of meant.rules.values()) {
    const tried = new Set<string>();
    for (;;) {
      // A rule lists some hundred sources at once: what was decided makes room for others.
      const { sources: listed } = await ask('sources', { ruleId: rule.id });
      const next = listed.filter(
        (source) => !tried.has(source.path) && isMeant(source, rule, decision, meant),
      );
      for (const { path } of next) {
        tried.add(path);
        for (const given of meant.paths) if (isNamed(given, path, rule)) missing.delete(given);
        const { done } = await ask('decide', { ruleId: rule.id, path, decision });
        if (done) count += 1;
        else refused += 1;
        const key = done ? 'cli.sources.decided' : 'cli.sources.notNow';
        output.result({ key, values: { path, decision } });
      }
      if (next.length === 0) break;
    }
  }
  for (const path of missing) output.tell({ key: 'cli.sources.noSource', values: { path } });
  if (meant.all && count === 0) output.tell({ key: 'cli.sources.none' });
  const exitCode = missing.size + refused > 0 ? exitCodes.badInput : exitCodes.complete;
  output.event({ event: 'result', exitCode, sources: count });
  cli.finish(exitCode);
}

function isMeant(
  source: Source,
  rule: Rule,
  decision: SourceDecision,
  { paths, state, all }: Meant,
): boolean {
  if (state !== undefined && source.state !== state) return false;
  if (all) return actionFor(source, decision) !== undefined;
  return paths.some((given) => isNamed(given, source.path, rule));
}

const isNamed = (given: string, path: string, { folder }: Rule): boolean =>
  given === path || resolve(given) === join(folder, path);
