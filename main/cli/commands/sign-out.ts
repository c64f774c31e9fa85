import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift sign-out`: jobs stay. */
export function addSignOut(program: Command, cli: Cli): void {
  const command = program
    .command('sign-out')
    .description(say('cli.signOut.description'))
    .action(() => signOut(cli));
  addExamples(command, ['tilelift sign-out', 'tilelift sign-out --account https://api.example.com']);
}

async function signOut(cli: Cli): Promise<void> {
  const { openTilelift } = await import('../compose.ts');
  const { knownAccount } = await import('../signed-in.ts');
  const { forgetAccess } = await import('../access.ts');
  const output = cli.output();
  const openedTilelift = await openTilelift(cli);
  try {
    const { accounts } = openedTilelift.tilelift;
    await accounts.start();
    const account = knownAccount(cli, openedTilelift);
    accounts.signOut(account.id);
    if (accounts.accounts().length === 0) forgetAccess(openedTilelift.home);
    output.result({ key: 'cli.signOut.done', values: { service: account.address.baseUrl } });
    // The next command would sign in again.
    if (cli.env.TILELIFT_TOKEN) output.print({ key: 'cli.signOut.stillInEnvironment' });
    cli.finish(output.end(exitCodes.complete, { accountId: account.id }));
  } finally {
    await openedTilelift.dispose();
  }
}
