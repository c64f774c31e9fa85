import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { toErrorRecord } from '../../errors.ts';
import { errorMessage, say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';
import { UsageError } from '../usage-error.ts';

/** `tilelift policy check|schema` (docs/administration.md) */
export function addPolicy(program: Command, cli: Cli): void {
  const command = program.command('policy').description(say('cli.policy.description'));
  const checking = command
    .command('check')
    .description(say('cli.policy.check'))
    .argument('<file>', say('cli.policy.file'))
    .action((file: string) => checkPolicy(cli, resolve(file)));
  addExamples(checking, ['tilelift policy check policy.json']);
  const schema = command
    .command('schema')
    .description(say('cli.policy.schema'))
    .action(async () => {
      const { policySchemaText } = await import('../../policy/policy.ts');
      cli.stdout.write(policySchemaText());
      cli.finish(exitCodes.complete);
    });
  addExamples(schema, ['tilelift policy schema > policy.schema.json']);
  addExamples(command, ['tilelift policy check policy.json']);
}

/** Ignores owners, and the files that a policy names: both may differ where it is checked. */
async function checkPolicy(cli: Cli, path: string): Promise<void> {
  const { readPolicy } = await import('../../policy/read-policy.ts');
  const { policyRulesText } = await import('../../policy/policy.ts');
  const { readPolicyRules } = await import('../../watch/rules/policy-rules.ts');
  const { inEnglish } = await import('../../../strings/sayer.ts');
  const output = cli.output();
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError({ key: 'cli.secret.missing', values: { path } });
  });
  const policy = await readPolicy(
    path,
    async () => ({ text, isProtected: true }),
    async () => ({ text: '', isProtected: true }),
  );
  if (policy.kind === 'unusable') {
    const record = toErrorRecord(policy.error);
    output.result(errorMessage(record));
    return cli.finish(
      output.end(exitCodes.badInput, { error: { ...record, message: policy.error.message } }),
    );
  }
  const rules = policyRulesText(policy);
  const problems =
    rules === null ? [] : readPolicyRules(rules).faulty.flatMap((faultyRule) => faultyRule.problems);
  for (const { line, column, field, what: problem } of problems) {
    output.result({ key: 'rulesFile.problemAt', values: { line, column, field, what: problem } });
    output.event({ event: 'problem', line, column, field, message: inEnglish.sayPhrase(problem) });
  }
  const exitCode = problems.length > 0 ? exitCodes.badInput : exitCodes.complete;
  if (problems.length === 0) output.result({ key: 'cli.policy.good', values: { path } });
  cli.finish(output.end(exitCode, { problems: problems.length }));
}
