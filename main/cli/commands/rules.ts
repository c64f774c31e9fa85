import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { addExamples } from '../program-help.ts';
import { UsageError } from '../usage-error.ts';

const maxRulesBytes = 20_000_000;

/** `tilelift rules check FILE|export` (docs/rules-file.md, docs/service.md) */
export function addRules(program: Command, cli: Cli): void {
  const command = program.command('rules').description(say('cli.rules.description'));
  const checking = command
    .command('check')
    .description(say('cli.rules.check'))
    .argument('<file>', say('cli.rules.file'))
    .action((file: string) => checkFile(cli, resolve(file)));
  addExamples(checking, ['tilelift rules check rules.json', 'tilelift rules check rules.json --json']);
  const exporting = command
    .command('export')
    .description(say('cli.rules.export'))
    .action(() => exportRules(cli));
  addExamples(exporting, ['tilelift rules export > rules.json']);
  addExamples(command, ['tilelift rules check rules.json', 'tilelift rules export > rules.json']);
}

async function checkFile(cli: Cli, path: string): Promise<void> {
  const { parseServiceFile } = await import('../watch/service-file.ts');
  const output = cli.output();
  const file = parseServiceFile(await readText(path));
  if (file.kind === 'read') {
    const { rules } = file.data;
    output.result({ key: 'cli.rules.good', values: { count: rules.length } });
    output.event({ event: 'result', exitCode: exitCodes.complete, rules: rules.length });
    return cli.finish(exitCodes.complete);
  }
  const { inEnglish } = await import('../../../strings/sayer.ts');
  for (const { line, column, field, what: phrase } of file.problems) {
    output.result({ key: 'rulesFile.problemAt', values: { line, column, field, what: phrase } });
    output.event({ event: 'problem', line, column, field, message: inEnglish.sayPhrase(phrase) });
  }
  output.event({ event: 'result', exitCode: exitCodes.badInput, problems: file.problems.length });
  cli.finish(exitCodes.badInput);
}

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxRulesBytes) throw new Error('too large');
    return await readFile(path, 'utf8');
  } catch {
    throw new UsageError({ key: 'cli.secret.missing', values: { path } });
  }
}

async function exportRules(cli: Cli): Promise<void> {
  const { settingsInFile } = await import('../../settings-file.ts');
  const { rulesFileText } = await import('../../watch/rules-file/rules-file.ts');
  const { isPolicyRule } = await import('../../watch/policy-rules/read-policy-rules.ts');
  const output = cli.output();
  const rules = settingsInFile(homeOf(cli))
    .get()
    .watchRules.filter(({ id }) => !isPolicyRule(id));
  if (rules.length === 0) throw new UsageError({ key: 'cli.rules.none' });
  if (output.json) output.event({ event: 'rules', rules });
  else cli.stdout.write(rulesFileText(rules));
  output.event({ event: 'result', exitCode: exitCodes.complete, rules: rules.length });
  cli.finish(exitCodes.complete);
}
