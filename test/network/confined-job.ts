/**
 * Run as a program: the main job with everything, the person's browser too, over the proxies of the
 * environment. Its argument is a `ConfinedJob` as JSON; its last line of output is a `ConfinedOutcome`.
 */
import { setGlobalProxyFromEnv } from 'node:http';
import { connect } from 'node:net';
import { wayFromEnvironment } from '../../main/cli/environment-network.ts';
import { toTileliftError } from '../../main/errors.ts';
import { directRoute, type NetworkWay, type ProxyLogin } from '../../main/outside.ts';
import { runMainJob } from '../../scripts/terminal/main-job.ts';
import { allowInBrowser } from '../service/person.ts';

export interface ConfinedJob {
  readonly folder: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly source: string;
  readonly caFile: string | null;
  /** The ways to storage, as a PAC script answers, and the login for all; null: those of the environment. */
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
const straight = await reaches(new URL(job.baseUrl));
setGlobalProxyFromEnv({ ...process.env });
process.stdout.write(`${JSON.stringify({ straight, ...(await run()) } satisfies ConfinedOutcome)}\n`);

async function run(): Promise<Omit<ConfinedOutcome, 'straight'>> {
  try {
    const { status, assetStatus, error } = await runMainJob({
      ...job,
      caFile: job.caFile ?? undefined,
      assetType: '3DTILES',
      sourceType: 'CITYGML',
      name: undefined,
      person: allowInBrowser,
      way: wayToStorage(),
      onStep: () => {},
      onProgress: () => {},
    });
    return { status, assetStatus, error: error?.code ?? null };
  } catch (thrown) {
    return { status: null, assetStatus: null, error: toTileliftError(thrown).code };
  }
}

function wayToStorage(): NetworkWay {
  const { storage } = job;
  if (!storage) return wayFromEnvironment(process.env, true);
  return { ...directRoute, proxyFor: async () => storage.ways, proxyLogin: () => storage.login };
}

function reaches({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
