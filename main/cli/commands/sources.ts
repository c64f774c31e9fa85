import { join, resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { maxSourcesListed, sourceStates } from '../../../shared/watch.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { errorMessage, say, sayPhrase } from '../../say.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import { type Answers, actionFor, type SourceDecision, sourceDecisions } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { isoTime } from '../output.ts';
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

/** `tilelift sources` */
export function addSources(program: Command, cli: Cli): void {
  const command = program
    .command('sources')
    .description(say('cli.sources.description'))
    .addArgument(new Argument('[decision]', say('cli.sources.decision')).choices(sourceDecisions))
    .argument('[paths...]', say('cli.sources.paths'))
    .option('--rule <rule>', say('cli.sources.optionRule'))
    .addOption(
      new Option(
        '--state <state>',
        say('cli.sources.optionState', { states: sourceStates.join(', ') }),
      ).choices(sourceStates),
    )
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
  decisionText: string | undefined,
  paths: readonly string[],
  options: SourcesOptions,
): Promise<void> {
  const decision = sourceDecisions.find((candidate) => candidate === decisionText);
  const { state } = options;
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

function rulesOf(rules: Answers['rules'], ruleName: string | undefined): ReadonlyMap<string, Rule> {
  const matches = rules.filter(
    ({ id, name }) => ruleName === undefined || ruleName === id || ruleName === name,
  );
  if (ruleName !== undefined && matches.length === 0)
    throw new UsageError({ key: 'cli.sources.noRule', values: { rule: ruleName } });
  return new Map(matches.map((rule) => [rule.id, rule]));
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
    const { sources: listedSources, isCut } = await ask('sources', { ruleId: id });
    const matches = listedSources.filter((source) => state === undefined || source.state === state);
    const watcher = ruleState === 'standing-by' ? notice : null;
    if (matches.length > 0 || watcher) output.result({ key: 'cli.sources.rule', values: { name, folder } });
    if (watcher) output.result({ key: 'cli.sources.standingBy', values: { why: errorMessage(watcher) } });
    for (const source of matches) printSource(cli, source, name);
    count += matches.length;
    if (isCut) output.print({ key: 'cli.sources.cut', values: { count: maxSourcesListed } });
  }
  if (count === 0) output.print({ key: 'cli.sources.none' });
  cli.finish(output.end(exitCodes.complete, { sources: count }));
}

function printSource(cli: Cli, source: Source, rule: string): void {
  const output = cli.output();
  const { path, state, why, at: changedAt, takenAt, actions, ...facts } = source;
  const choices = sourceDecisions.filter((candidate) => actionFor(source, candidate));
  const reason = why.map((phrase) => inEnglish.sayPhrase(phrase)).join(' ');
  output.event({
    event: 'source',
    rule,
    path,
    state,
    why: reason,
    since: isoTime(changedAt),
    takenAt: isoTime(takenAt ?? null),
    choices,
    ...facts,
  });
  const values = { state, when: { time: changedAt }, path, why: why.map(sayPhrase).join(' ') };
  output.result({ key: 'cli.sources.line', values });
  if (choices.length > 0)
    output.result({ key: 'cli.sources.choices', values: { choices: choices.join(', ') } });
}

interface Selection {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly paths: readonly string[];
  readonly state?: string;
  readonly all: boolean;
}

/** Exit code 2: a source is missing or its state doesn't allow the decision. */
async function decide(
  cli: Cli,
  { ask }: RunningTilelift,
  decision: SourceDecision,
  selection: Selection,
): Promise<void> {
  const output = cli.output();
  const missingPaths = new Set(selection.paths);
  let [count, refusedCount] = [0, 0];
  for (const rule of selection.rules.values()) {
    const triedPaths = new Set<string>();
    for (;;) {
      // A rule lists only some hundred sources at once.
      const { sources: listedSources } = await ask('sources', { ruleId: rule.id });
      const batch = listedSources.filter(
        (source) => !triedPaths.has(source.path) && isSelected(source, rule, decision, selection),
      );
      for (const { path } of batch) {
        triedPaths.add(path);
        for (const pathText of selection.paths)
          if (isNamed(pathText, path, rule)) missingPaths.delete(pathText);
        const { done: performedDecision } = await ask('decide', { ruleId: rule.id, path, decision });
        if (performedDecision) count += 1;
        else refusedCount += 1;
        const key = performedDecision ? 'cli.sources.decided' : 'cli.sources.notNow';
        output.result({ key, values: { path, decision } });
      }
      if (batch.length === 0) break;
    }
  }
  for (const path of missingPaths) output.print({ key: 'cli.sources.noSource', values: { path } });
  if (selection.all && count === 0) output.print({ key: 'cli.sources.none' });
  const exitCode = missingPaths.size + refusedCount > 0 ? exitCodes.badInput : exitCodes.complete;
  cli.finish(output.end(exitCode, { sources: count }));
}

function isSelected(
  source: Source,
  rule: Rule,
  decision: SourceDecision,
  { paths, state, all: isAll }: Selection,
): boolean {
  if (state !== undefined && source.state !== state) return false;
  if (isAll) return actionFor(source, decision) !== undefined;
  return paths.some((pathText) => isNamed(pathText, source.path, rule));
}

const isNamed = (pathText: string, path: string, { folder }: Rule): boolean =>
  pathText === path || resolve(pathText) === join(folder, path);
