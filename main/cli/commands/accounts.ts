import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift accounts`: who is signed in, and where. */
export function addAccounts(program: Command, cli: Cli): void {
  const command = program
    .command('accounts')
    .description(say('cli.accounts.description'))
    .action(() => listAccounts(cli));
  addExamples(command, ['tilelift accounts', 'tilelift accounts --json']);
}

async function listAccounts(cli: Cli): Promise<void> {
  const { openTilelift } = await import('../compose.ts');
  const output = cli.output();
  const opened = await openTilelift(cli);
  try {
    const { accounts } = opened.tilelift;
    await accounts.start();
    const state = accounts.state();
    const current = state.kind === 'signed-in' ? state.account.id : null;
    const all = accounts.accounts();
    for (const { id, name, address, signedInBy, endsSoonAt } of all) {
      const isCurrent = id === current;
      output.event({
        event: 'account',
        ...{
          id,
          name,
          service: address.baseUrl,
          signInPage: address.authUrl,
          signedInBy,
          current: isCurrent,
        },
        endsSoonAt: endsSoonAt === null ? null : new Date(endsSoonAt).toISOString(),
      });
      output.result({
        key: isCurrent ? 'cli.accounts.current' : 'cli.accounts.other',
        values: { id, service: address.baseUrl },
      });
    }
    if (all.length === 0) output.tell({ key: 'cli.accounts.none' });
    const code = all.length === 0 ? exitCodes.signIn : exitCodes.complete;
    output.event({ event: 'result', exitCode: code });
    cli.finish(code);
  } finally {
    await opened.close();
  }
}
