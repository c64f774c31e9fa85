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

/** `tilelift rules new|check|export|schema` (docs/rules-file.md, docs/server.md) */
export function addRules(program: Command, cli: Cli): void {
  const command = program.command('rules').description(say('cli.rules.description'));
  const checking = command
    .command('check')
    .description(say('cli.rules.check'))
    .argument('<file>', say('cli.rules.file'))
    .option('--no-folders', say('cli.rules.noFolders'))
    .action((file: string, { folders }: { folders: boolean }) => checkFile(cli, resolve(file), folders));
  addExamples(checking, ['tilelift rules check rules.json', 'tilelift rules check rules.json --json']);
  const creating = command
    .command('new')
    .description(say('cli.rules.new'))
    .argument('<file>', say('cli.rules.newFile'))
    .action((file: string) => newFile(cli, resolve(file)));
  addExamples(creating, ['tilelift rules new rules.json']);
  const schema = command
    .command('schema')
    .description(say('cli.rules.schema'))
    .action(() => printSchema(cli));
  addExamples(schema, ['tilelift rules schema > tilelift-rules.schema.json']);
  const exporting = command
    .command('export')
    .description(say('cli.rules.export'))
    .action(() => exportRules(cli));
  addExamples(exporting, ['tilelift rules export > rules.json']);
  addExamples(command, ['tilelift rules new rules.json', 'tilelift rules check rules.json']);
}

async function newFile(cli: Cli, path: string): Promise<void> {
  const { writeNewRulesFile } = await import('../watch/new-rules-file.ts');
  const output = cli.output();
  for (const writtenPath of await writeNewRulesFile(path))
    output.result({ key: 'cli.rules.written', values: { path: writtenPath } });
  cli.finish(output.end(exitCodes.complete));
}

async function printSchema(cli: Cli): Promise<void> {
  const { rulesSchemaText } = await import('../watch/new-rules-file.ts');
  cli.stdout.write(rulesSchemaText());
  cli.finish(exitCodes.complete);
}

/** @param folders whether the folders and targets of the rules are checked too */
async function checkFile(cli: Cli, path: string, folders: boolean): Promise<void> {
  const { parseServiceFile, problemFacts, problemPhrase } = await import('../watch/service-file.ts');
  const { folderProblems } = await import('../watch/folder-problems.ts');
  const output = cli.output();
  const file = parseServiceFile(await readText(path));
  const problems = file.kind === 'problems' ? file.problems : folders ? await folderProblems(file) : [];
  if (file.kind === 'read' && problems.length === 0) {
    const { rules } = file.data;
    output.result({ key: 'cli.rules.good', values: { count: rules.length } });
    return cli.finish(output.end(exitCodes.complete, { rules: rules.length }));
  }
  for (const problem of problems) {
    output.result(problemPhrase(problem));
    output.event({ event: 'problem', ...problemFacts(problem) });
  }
  cli.finish(output.end(exitCodes.badInput, { problems: problems.length }));
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
  const { rulesFileText } = await import('../../watch/rules/rules-file.ts');
  const { isPolicyRule } = await import('../../watch/rules/policy-rules.ts');
  const output = cli.output();
  const rules = settingsInFile(homeOf(cli))
    .get()
    .watchRules.filter(({ id }) => !isPolicyRule(id));
  if (rules.length === 0) throw new UsageError({ key: 'cli.rules.none' });
  if (output.json) output.event({ event: 'rules', rules });
  else cli.stdout.write(rulesFileText(rules));
  cli.finish(output.end(exitCodes.complete, { rules: rules.length }));
}
