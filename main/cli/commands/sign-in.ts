import { resolve } from 'node:path';
import type { Command } from 'commander';
import { TileliftError } from '../../errors.ts';
import { withPlainService } from '../../policy/refusals.ts';
import { say } from '../../say.ts';
import { parseClientId } from '../../service/client-id.ts';
import type { Cli } from '../cli.ts';
import type { OpenedTilelift } from '../compose.ts';
import { exitCodes } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { addExamples } from '../program-help.ts';
import { UsageError } from '../usage-error.ts';

interface SignInOptions {
  readonly service?: readonly string[];
  /** False with `--no-browser`. */
  readonly browser: boolean;
  readonly tokenFile?: string;
  readonly keyFile?: string;
  readonly clientId?: string;
  readonly allowHttp?: boolean;
}

/** `tilelift sign-in` */
export function addSignIn(program: Command, cli: Cli): void {
  const command = program
    .command('sign-in')
    .description(say('cli.signIn.description'))
    .option('--service <url...>', say('cli.signIn.service'))
    .option('--token-file <file>', say('cli.signIn.tokenFile'))
    .option('--key-file <file>', say('cli.signIn.keyFile'))
    .option('--client-id <id>', say('cli.signIn.clientId'))
    .option('--allow-http', say('cli.signIn.allowHttp'))
    .option('--no-browser', say('cli.signIn.noBrowser'))
    .action((options: SignInOptions) => signIn(cli, options));
  addExamples(command, [
    'tilelift sign-in --token-file ~/tilelift.token',
    'pass show tilelift | tilelift sign-in --token-file - --key-file ~/.tilelift.key',
    'tilelift sign-in --key-file ~/.tilelift.key --no-browser',
    'tilelift sign-in --account Survey --token-file two --key-file ~/.tilelift.key',
    'tilelift sign-in --service https://api.example.com https://sign-in.example.com',
    'TILELIFT_TOKEN=… tilelift sign-in --service https://api.example.com',
  ]);
}

async function tokenFrom(cli: Cli, tokenFile: string) {
  if (tokenFile !== '-') return { tokenFile: resolve(tokenFile) };
  const { text } = await import('node:stream/consumers');
  return { token: await text(cli.stdin) };
}

async function signIn(cli: Cli, options: SignInOptions): Promise<void> {
  if (options.tokenFile === '-' && options.keyFile === undefined)
    throw new UsageError({ key: 'cli.secret.inputNeedsKey' });
  const { openTilelift } = await import('../compose.ts');
  const { accessToSignIn, rememberAccess } = await import('../access.ts');
  const { untilStopped } = await import('../running.ts');
  const { chooseService, keepService } = await import('../services.ts');
  const { accountToSignIn, nameAccount, refuseSecondToken } = await import('../which-account.ts');
  const { browserPage } = await import('../browser-page.ts');
  const files = {
    ...(options.tokenFile === undefined ? {} : await tokenFrom(cli, options.tokenFile)),
    ...(options.keyFile === undefined ? {} : { keyFile: resolve(options.keyFile) }),
  };
  const { access, remembered: rememberedAccess, token } = accessToSignIn(homeOf(cli), cli.env, files);
  const page = browserPage(cli, options.browser);
  const openedTilelift = await openTilelift(cli, { access, ...page });
  try {
    const { accounts } = openedTilelift.tilelift;
    const parts = { settings: openedTilelift.settings, policy: openedTilelift.policy, env: cli.env };
    const address = chooseService(options.service ?? [], parts, token === null);
    if (options.allowHttp)
      openedTilelift.settings.update({
        plainServices: withPlainService(openedTilelift.settings.get(), address),
      });
    if (options.clientId !== undefined) {
      const clientIds = openedTilelift.settings.get().clientIds;
      const clientId = parseClientId(options.clientId);
      if (clientId !== null)
        openedTilelift.settings.update({ clientIds: { ...clientIds, [address.baseUrl]: clientId } });
    }
    const target = accountToSignIn(cli, openedTilelift, address);
    if (target.isFurther && access.kind === 'token') refuseSecondToken(openedTilelift);
    await untilStopped(accounts.start(), cli.stop);
    if (token === null) {
      await untilStopped(accounts.signIn(address, target.id), cli.stop);
      await page.untilReturned(accounts);
    } else await untilStopped(accounts.useAccessToken(address, token, target.id), cli.stop);
    nameAccount(openedTilelift, target.name);
    keepService(openedTilelift.settings, address);
    if (rememberedAccess) rememberAccess(openedTilelift.home, rememberedAccess);
    printSignedIn(cli, openedTilelift);
  } finally {
    page.closeInput();
    // Restores the previous sign-in, since this process no longer waits for the browser.
    openedTilelift.tilelift.accounts.cancelSignIn();
    await openedTilelift.dispose();
  }
}

function printSignedIn(cli: Cli, { tilelift: { accounts } }: OpenedTilelift): void {
  const state = accounts.state();
  if (state.kind !== 'signed-in') throw new TileliftError('sign-in-failed');
  const { id, address } = state.account;
  const output = cli.output();
  output.result({ key: 'cli.signIn.done', values: { service: address.baseUrl } });
  cli.finish(output.end(exitCodes.complete, { accountId: id, service: address.baseUrl }));
}
