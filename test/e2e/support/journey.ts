import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EmbeddedService, ServiceSettings } from '../../service/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { type StandInBrowser, standInBrowser } from './stand-in-browser.ts';
import {
  type LaunchOptions,
  launchProgram,
  launchTilelift,
  type TileliftProgram,
  type TileliftWindow,
} from './tilelift-window.ts';

type Given = Omit<LaunchOptions, 'userData'>;

/** A new folder, an embedded service, a browser stand-in, and Tilelift. */
export interface Journey {
  readonly folder: string;
  readonly userData: string;
  readonly service: EmbeddedService;
  readonly browser: StandInBrowser;
  launch(options?: Given): Promise<TileliftWindow>;
  launchInBackground(): Promise<TileliftProgram>;
  end(): Promise<void>;
}

/** Tiling ends before the app first reads the status, because the next read comes 10 s later. */
export async function beginJourney(settings: Partial<ServiceSettings> = {}): Promise<Journey> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-e2e-'));
  const userData = join(folder, 'user-data');
  const service = await startEmbeddedService({
    dataFolder: join(folder, 'storage'),
    tilingMs: 0,
    ...settings,
  });
  const browser = await standInBrowser(folder);
  const programs: TileliftProgram[] = [];
  const options = ({ args = [], env = {}, ...others }: Given): LaunchOptions => ({
    ...others,
    userData,
    args,
    env: {
      ...browser.env,
      TILELIFT_SERVICE_NAME: 'Embedded service',
      TILELIFT_SERVICE_API: service.baseUrl,
      TILELIFT_SERVICE_SIGN_IN: service.authUrl,
      ...env,
    },
  });
  const remembered = <T extends TileliftProgram>(program: T): T => {
    programs.push(program);
    return program;
  };
  return {
    folder,
    userData,
    service,
    browser,
    launch: async (overrides = {}) => remembered(await launchTilelift(options(overrides))),
    launchInBackground: async () => remembered(await launchProgram(options({ args: ['--background'] }))),
    end: async () => {
      for (const program of programs) await program.close().catch(() => undefined);
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/**
 * Chooses the test's service, which comes from the environment and is never preselected, and presses Sign in.
 */
export async function pressSignIn(
  { page }: Pick<TileliftWindow, 'page'>,
  service = 'Embedded service',
): Promise<void> {
  await page.getByRole('radio', { name: service }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in like a user: Sign in, Allow on the opened page, and the system's callback. */
export async function signIn(journey: Journey, window: TileliftWindow, service?: string): Promise<void> {
  await pressSignIn(window, service);
  const callback = await allowInBrowser(await journey.browser.opened(1));
  await window.openAddress(callback);
  await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
}

/** Drops paths and starts the upload with the suggested settings. */
export async function dropAndUpload(window: TileliftWindow, ...paths: string[]): Promise<void> {
  await window.drop(...paths);
  await window.page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await window.page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Files of a source by path. */
export type SourceContent = Readonly<Record<string, string | Uint8Array>>;

/** Creates a folder with these files and returns its path. */
export async function writeSource(
  journey: Pick<Journey, 'folder'>,
  folder: string,
  content: SourceContent,
): Promise<string> {
  const root = join(journey.folder, folder);
  for (const [name, bytes] of Object.entries(content)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), bytes);
  }
  return root;
}
