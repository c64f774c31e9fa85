import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Answers } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { isoTime } from '../output.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift accounts` */
export function addAccounts(program: Command, cli: Cli): void {
  const command = program
    .command('accounts')
    .description(say('cli.accounts.description'))
    .action(() => listAccounts(cli));
  addExamples(command, ['tilelift accounts', 'tilelift accounts --json']);
}

async function listAccounts(cli: Cli): Promise<void> {
  const { accounts: allAccounts, current } = await readAccounts(cli);
  const output = cli.output();
  for (const { id, name, address, signedInBy, endsSoonAt } of allAccounts) {
    const isCurrent = id === current;
    output.event({
      event: 'account',
      ...{ accountId: id, name, service: address.baseUrl, signInPage: address.authUrl, signedInBy },
      current: isCurrent,
      endsSoonAt: isoTime(endsSoonAt),
    });
    const values = { id, service: address.baseUrl };
    if (name !== null)
      output.result({
        key: isCurrent ? 'cli.accounts.currentNamed' : 'cli.accounts.otherNamed',
        values: { ...values, name },
      });
    else output.result({ key: isCurrent ? 'cli.accounts.current' : 'cli.accounts.other', values });
  }
  if (allAccounts.length === 0) output.print({ key: 'cli.accounts.none' });
  const code = allAccounts.length === 0 ? exitCodes.signIn : exitCodes.complete;
  cli.finish(output.end(code));
}

/** Asks the running Tilelift, else reads the home folder. */
async function readAccounts(cli: Cli): Promise<Answers['accounts']> {
  const { byHolder, untilStopped } = await import('../running.ts');
  return byHolder(
    cli,
    'account',
    async (running) => {
      try {
        return await untilStopped(running.ask('accounts', {}), cli.stop);
      } finally {
        running.disconnect();
      }
    },
    async () => {
      const { openTilelift } = await import('../compose.ts');
      const openedTilelift = await openTilelift(cli);
      try {
        const { accounts } = openedTilelift.tilelift;
        await accounts.start();
        return { accounts: accounts.accounts(), current: accounts.current() };
      } finally {
        await openedTilelift.dispose();
      }
    },
  );
}
