/**
 * A program that runs the main job, including the user's browser, through the proxies of the environment. Its
 * argument is a `ConfinedJob` as JSON; its last line of output is a `ConfinedOutcome`.
 */
import { setGlobalProxyFromEnv } from 'node:http';
import { connect } from 'node:net';
import { composeTilelift, type Tilelift } from '../../main/app.ts';
import { wayFromEnvironment } from '../../main/cli/environment-network.ts';
import { noCipher } from '../../main/cli/file-cipher.ts';
import { TileliftError, toTileliftError } from '../../main/errors.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { silentLog } from '../../main/log.ts';
import { directRoute, type NetworkWay, type ProxyLogin, systemClock } from '../../main/ports.ts';
import { allowInBrowser } from '../service/person.ts';
import { settingsInMemory } from '../unit/account/stand-ins.ts';

export interface ConfinedJob {
  readonly folder: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly source: string;
  readonly caFile: string | null;
  /** Routes to storage in the format of a PAC script, with one login; null: those of the environment. */
  readonly storage: { readonly ways: string; readonly login: ProxyLogin } | null;
}

export interface ConfinedOutcome {
  /** Whether the service could be reached without the proxy. */
  readonly straight: boolean;
  readonly status: string | null;
  readonly assetStatus: string | null;
  readonly error: string | null;
}

const job = JSON.parse(process.argv[2] ?? '') as ConfinedJob;
const straight = await canReach(new URL(job.baseUrl));
setGlobalProxyFromEnv({ ...process.env });
process.stdout.write(`${JSON.stringify({ straight, ...(await run()) } satisfies ConfinedOutcome)}\n`);

async function run(): Promise<Omit<ConfinedOutcome, 'straight'>> {
  try {
    const { status, assetStatus, error } = await runMainJob();
    return { status, assetStatus, error: error?.code ?? null };
  } catch (error) {
    return { status: null, assetStatus: null, error: toTileliftError(error).code };
  }
}

async function runMainJob(): Promise<JobSnapshot> {
  const { folder, baseUrl, authUrl, source, caFile } = job;
  const callbacks: Promise<void>[] = [];
  const tilelift: Tilelift = composeTilelift({
    ...{ folder, clock: systemClock, fetch, way: wayToStorage(), cipher: noCipher, log: silentLog },
    openBrowser: async (link) => {
      callbacks.push(allowInBrowser(link).then((callback) => tilelift.accounts.handleCallback(callback)));
    },
    settings: settingsInMemory({ network: { caFile } }),
    uploadWorker: new URL('../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../main/workers/scan-worker.ts', import.meta.url),
    pollMs: 500,
  });
  const { accounts, jobs } = tilelift;
  await tilelift.start();
  try {
    await accounts.signIn({ baseUrl, authUrl });
    await Promise.all(callbacks);
    const state = accounts.state();
    if (state.kind !== 'signed-in')
      throw 'error' in state && state.error
        ? TileliftError.fromRecord(state.error)
        : new Error(`the sign-in is ${state.kind}`);
    const body = { name: 'Town', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
    const id = jobs.add({ accountId: state.account.id, paths: [source], body, acceptForecast: true });
    const jobEnd = Promise.withResolvers<JobSnapshot>();
    jobs.onChange(() => {
      const snapshot = jobs.get(id);
      if (snapshot?.endedAt) jobEnd.resolve(snapshot);
    });
    return await jobEnd.promise;
  } finally {
    await tilelift.stop();
  }
}

function wayToStorage(): NetworkWay {
  const { storage } = job;
  if (!storage) return wayFromEnvironment(process.env, true);
  return { ...directRoute, proxyFor: async () => storage.ways, proxyLogin: () => storage.login };
}

function canReach({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
