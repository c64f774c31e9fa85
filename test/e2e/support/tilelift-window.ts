import { spawn } from 'node:child_process';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
import { packagedExecutable, sandboxArguments } from './packaged-app.ts';

export interface LaunchOptions {
  readonly userData: string;
  /** Default: the packaged one. */
  readonly executable?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For example a callback address that starts the app. */
  readonly args?: readonly string[];
}

/** A running Tilelift, with or without a window. */
export interface TileliftProgram {
  readonly app: ElectronApplication;
  /** Starts the program again, as the system does for `tilelift:` links. Resolves when that process ends. */
  openAddress(...args: string[]): Promise<void>;
  close(): Promise<void>;
  kill(): void;
}

/** A running Tilelift and its window. */
export interface TileliftWindow extends TileliftProgram {
  readonly page: Page;
  drop(...paths: string[]): Promise<void>;
  /** The page's CSP violations and errors. */
  readonly complaints: readonly string[];
}

export async function launchTilelift(options: LaunchOptions): Promise<TileliftWindow> {
  const program = await launchProgram(options);
  const page = await program.app.firstWindow();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { ...program, page, complaints, drop: (...paths) => dropOnto(page, paths) };
}

/** Doesn't wait for a window. */
export async function launchProgram(options: LaunchOptions): Promise<TileliftProgram> {
  const executable = options.executable ?? packagedExecutable();
  const fixed = [...sandboxArguments, `--user-data-dir=${options.userData}`];
  const env = { ...cleanEnvironment(), ...options.env };
  const app = await electron.launch({
    executablePath: executable,
    args: [...fixed, ...(options.args ?? [])],
    env,
  });
  return {
    app,
    openAddress: (...args) => runToEnd(executable, [...fixed, ...args], env),
    close: () => app.close(),
    kill: () => {
      app.process().kill('SIGKILL');
    },
  };
}

/** Chromium's input command carries real paths, which scripted drops can't. */
async function dropOnto(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
  }
  await session.detach();
}

function runToEnd(executable: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { env, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    entries.filter(([name]) => !name.startsWith('TILELIFT_') && name !== 'NODE_OPTIONS'),
  );
}
