import { basename } from 'node:path';
import { composeTilelift, type Tilelift } from '../../main/app.ts';
import { TileliftError } from '../../main/errors.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { silentLog } from '../../main/log.ts';
import { type NetworkWay, type OpenBrowser, systemClock } from '../../main/outside.ts';
import type { CreationBody } from '../../main/service/model.ts';
import { parseServiceAddress } from '../../main/service/service-address.ts';
import type { AssetType } from '../../shared/assets.ts';
import { noKeychain, settingsInMemory } from './stand-ins.ts';

/** The demo's tiling takes seconds, so it asks more often than the contract's ten. */
const demoPollMs = 500;

interface MainJob {
  readonly folder: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly source: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly name: string | undefined;
  /** What the person at the browser does with the authorization page: gives the callback address. */
  readonly person: (link: string) => Promise<string>;
  /** Proxies on the way to storage. Default: none. */
  readonly way?: NetworkWay;
  /** A file of further authorities to trust. Default: none. */
  readonly caFile?: string | undefined;
  readonly onStep: (text: string) => void;
  readonly onProgress: (job: JobSnapshot) => void;
}

/**
 * Register, authorize, create, upload, complete, poll: the modules of `main/` as the desktop uses them.
 * Resolves with the ended job; throws `TileliftError` when it can't begin.
 */
export async function runMainJob(job: MainJob): Promise<JobSnapshot> {
  const callbacks: Promise<void>[] = [];
  const openBrowser: OpenBrowser = async (link) => {
    job.onStep(`Authorization page: ${new URL(link).origin}${new URL(link).pathname}`);
    callbacks.push(job.person(link).then((address) => tilelift.accounts.handleCallback(address)));
  };
  const tilelift: Tilelift = composeTilelift({
    folder: job.folder,
    clock: systemClock,
    fetch,
    openBrowser,
    ...(job.way ? { way: job.way } : {}),
    cipher: noKeychain,
    settings: settingsInMemory({ network: { caFile: job.caFile ?? null } }),
    log: silentLog,
    uploadWorker: new URL('../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../main/workers/scan-worker.ts', import.meta.url),
    pollMs: demoPollMs,
  });
  await tilelift.start();
  try {
    const accountId = await signIn(tilelift, job, callbacks);
    const body: CreationBody = {
      name: job.name ?? basename(job.source),
      type: job.assetType,
      options: { sourceType: job.sourceType },
    };
    const id = tilelift.jobs.add({ accountId, paths: [job.source], body, acceptForecast: true });
    return await followToEnd(tilelift, id, job);
  } finally {
    await tilelift.stop();
  }
}

async function signIn(tilelift: Tilelift, job: MainJob, callbacks: Promise<void>[]): Promise<string> {
  const address = parseServiceAddress({ baseUrl: job.baseUrl, authUrl: job.authUrl });
  job.onStep(`Signing in to ${address.baseUrl}`);
  await tilelift.accounts.signIn(address);
  await Promise.all(callbacks);
  const state = tilelift.accounts.state();
  if (state.kind === 'signed-in') {
    job.onStep('Signed in');
    return state.account.id;
  }
  if (state.kind === 'signed-out' && state.error) throw TileliftError.fromRecord(state.error);
  throw new TileliftError('sign-in-failed');
}

function followToEnd(tilelift: Tilelift, id: string, job: MainJob): Promise<JobSnapshot> {
  return new Promise((resolve) => {
    const look = () => {
      const snapshot = tilelift.jobs.get(id);
      if (!snapshot) return;
      if (snapshot.endedAt !== null) {
        stop();
        resolve(snapshot);
      } else {
        job.onProgress(snapshot);
      }
    };
    const stop = tilelift.jobs.onChange((changed) => {
      if (changed === id) look();
    });
    look();
  });
}
