import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type OpenCallbackReceiver, openLoopbackReceiver } from '../account/loopback-receiver.ts';
import type { AccountService, SignInState } from '../account/model/model.ts';
import { TileliftError } from '../errors.ts';
import type { OpenBrowser } from '../ports.ts';
import { returnedPage } from '../returned-page.ts';
import { errorWords } from '../say.ts';
import { isPrivateHost } from '../service/service-address.ts';
import type { Cli } from './cli.ts';

/** Here or on another computer. */
interface BrowserPage {
  readonly openBrowser: OpenBrowser;
  readonly openReceiver: OpenCallbackReceiver;
  /** Rejects with the error of the sign-in or the signal's reason. */
  untilReturned(accounts: AccountService): Promise<void>;
  /** Stops reading lines. */
  closeInput(): void;
}

/**
 * Opens the authorization page, or prints its link without a browser or `mayOpen`. The user pastes the
 * callback address of a browser elsewhere into standard input.
 */
export function browserPage(cli: Cli, mayOpen: boolean): BrowserPage {
  const { stdin, platform, env } = cli;
  const output = cli.output();
  const opens = mayOpen && hasBrowser(platform, env);
  let receive: (address: string) => void = () => {};
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', (line) => receive(line.trim()));
  // Standard input may be closed if the browser opens here.
  let hasEnded = false;
  lines.on('close', () => {
    hasEnded = true;
  });
  return {
    openBrowser: async (link) => {
      if (opens) {
        output.print({ key: 'cli.signIn.opened' });
        await openInBrowser(link, platform);
        return;
      }
      output.print({ key: 'cli.signIn.openLink' });
      output.print(link);
      output.event({ event: 'sign-in-link', link });
      output.print({ key: 'cli.signIn.paste' });
    },
    openReceiver: (onCallback, port) => openLoopbackReceiver(onCallback, returnedPage, port),
    untilReturned: (accounts) =>
      new Promise((resolve, reject) => {
        const stop = accounts.onChange(checkState);
        cli.stop.addEventListener('abort', () => end(() => reject(cli.stop.reason)), { once: true });
        receive = (line) => {
          if (line !== '') void accounts.handleCallback(line);
        };
        if (!opens) lines.on('close', () => setImmediate(checkAtInputEnd));
        checkState(accounts.state());
        if (hasEnded && !opens) checkAtInputEnd();

        function end(act: () => void): void {
          stop();
          act();
        }
        function checkState(state: SignInState): void {
          if (state.kind === 'signed-in') {
            const { error } = state;
            end(error ? () => reject(TileliftError.fromRecord(error)) : resolve);
          }
          if (state.kind === 'waiting-for-browser' && state.error) output.print(errorWords(state.error));
          if (state.kind === 'signed-out')
            end(() =>
              reject(
                state.error ? TileliftError.fromRecord(state.error) : new TileliftError('sign-in-failed'),
              ),
            );
        }
        /** Without input, the user can't paste the address. */
        function checkAtInputEnd(): void {
          if (accounts.state().kind !== 'waiting-for-browser' || output.isTerminal) return;
          end(() => reject(new TileliftError('sign-in-input-ended')));
        }
      }),
    closeInput: () => {
      lines.close();
      stdin.destroy();
    },
  };
}

function hasBrowser(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Rejects if the program can't be started. */
async function openInBrowser(link: string, platform: NodeJS.Platform): Promise<void> {
  const url = new URL(link);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivateHost(url.hostname)))
    throw new Error('not a secure address');
  const [program, ...args] = browserCommands[platform] ?? ['xdg-open'];
  const child = spawn(program as string, [...args, url.href], { stdio: 'ignore', detached: true });
  child.unref();
  await once(child, 'spawn');
}

const browserCommands: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
