import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import type { JobService, JobSnapshot } from '../../../main/jobs/model.ts';
import type { JobServiceOptions } from '../../../main/jobs/service/job-options.ts';
import { Jobs } from '../../../main/jobs/service/job-service.ts';
import { silentLog } from '../../../main/log.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { createTimeoutMs, requestTimeoutMs } from '../../../main/service/http-request.ts';
import type { CreationBody, ServiceApi } from '../../../main/service/model.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import { saidLines } from '../../said.ts';
import type { EmbeddedService, RecordedRequest, ServiceSettings } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { type MemoryVault, memoryVault } from '../../unit/account/stand-ins.ts';
import { withWaitCheck } from '../../wait-check.ts';

/** Real time, but retries and polls wait this long at most. */
const longestWaitMs = 20;
export const hurriedClock: Clock = {
  now: () => Date.now(),
  elapsed: systemClock.elapsed,
  // Timeouts must not fire early.
  sleep: (ms, signal) => systemClock.sleep(isLimit(ms) ? ms : Math.min(ms, longestWaitMs), signal),
};
const isLimit = (ms: number) => ms === requestTimeoutMs || ms >= createTimeoutMs;

const patienceMs = 20_000;

export const scopes = ['assets:list', 'assets:read', 'assets:write'];

export const body: CreationBody = { name: 'Altstadt', type: '3DTILES', options: { sourceType: 'CITYGML' } };

/** The embedded service, and a job service that can restart on the same journal. */
export interface House {
  readonly service: EmbeddedService;
  readonly vault: MemoryVault;
  readonly folder: string;
  readonly journalPath: string;
  jobs: JobService;
  journal(): Journal;
  /** Creates files by relative name; a number is a size in random bytes. */
  source(files: Readonly<Record<string, string | Uint8Array | number>>): Promise<string>;
  add(path: string): string;
  untilAsked(): Promise<void>;
  /** Waits for a matching snapshot; rejects if the job ends otherwise or after 20 s. */
  until(id: string, isMatch: (job: JobSnapshot) => boolean): Promise<JobSnapshot>;
  restart(options?: Partial<JobServiceOptions>): Promise<void>;
  /** Restarts with a journal derived from the real one. */
  restartOn(journal: (realJournal: Journal) => Journal): Promise<void>;
  close(): Promise<void>;
}

export async function openHouse(
  settings: Partial<ServiceSettings> = {},
  options: Partial<JobServiceOptions> = {},
): Promise<House> {
  const service = await startEmbeddedService({ tilingMs: 30, ...settings });
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-jobs-'));
  const vault = memoryVault();
  const journalPath = join(folder, 'journal.db');
  const accounts = { serviceFor: () => serviceApi(service) };
  let journal = openJournal(journalPath);
  const build = (restarted: Partial<JobServiceOptions>) => {
    const { clock = hurriedClock, ...otherOptions } = { ...options, ...restarted };
    return new Jobs({
      journal,
      vault,
      clock: withWaitCheck(clock),
      random: Math.random,
      accounts,
      log: silentLog,
      pollMs: 10,
      ...otherOptions,
    });
  };
  const reopen = async () => {
    await house.jobs.stop();
    journal.close();
    journal = openJournal(journalPath);
  };
  let sources = 0;

  const house: House = {
    service,
    vault,
    folder,
    journalPath,
    jobs: build({}),
    journal: () => journal,
    source: async (files) => {
      const root = join(folder, `source-${++sources}`);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), typeof content === 'number' ? randomBytes(content) : content);
      }
      return root;
    },
    add: (path) => house.jobs.add({ accountId: 'me', paths: [path], body, acceptForecast: false }),
    untilAsked: () =>
      vi.waitFor(() => {
        if (!service.control.requests().some(isCreation)) throw new Error('nobody has asked for an asset');
      }, patienceMs),
    until: (id, isMatch) => untilJob(house.jobs, id, isMatch),
    restart: async (newOptions = {}) => {
      await reopen();
      house.jobs = build(newOptions);
      house.jobs.start();
    },
    restartOn: async (wrap) => {
      await reopen();
      house.jobs = build({ journal: wrap(journal) });
      house.jobs.start();
    },
    close: async () => {
      await house.jobs.stop();
      journal.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  house.jobs.start();
  return house;
}

export function serviceApi(
  service: Pick<EmbeddedService, 'baseUrl' | 'authUrl' | 'control'>,
  granted: readonly string[] = scopes,
): ServiceApi {
  const token = service.control.makeAccessToken(granted);
  return createServiceClient({
    address: { baseUrl: service.baseUrl, authUrl: service.authUrl },
    fetch,
    clock: systemClock,
    bearer: async () => token,
    onInvalidCredentials: async () => {},
  });
}

export const isCreation = ({ method, path }: RecordedRequest) => method === 'POST' && path === '/v1/assets';

function untilJob(
  jobs: JobService,
  id: string,
  isMatch: (job: JobSnapshot) => boolean,
): Promise<JobSnapshot> {
  return new Promise((resolve, reject) => {
    const checkJobs = () => {
      const job = jobs.get(id);
      if (!job) return;
      if (isMatch(job)) finish(() => resolve(job));
      else if (job.endedAt !== null)
        finish(() => reject(new Error(`the job ended: ${job.status} ${JSON.stringify(job.error)}`)));
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error(`not in time: ${JSON.stringify(jobs.get(id))}`))),
      patienceMs,
    );
    const finish = (end: () => void) => {
      clearTimeout(timer);
      stop();
      end();
    };
    const stop = jobs.onChange((changed) => changed === id && checkJobs());
    checkJobs();
  });
}

export const hasStatus = (status: JobSnapshot['status']) => (job: JobSnapshot) => job.status === status;

export const historyTexts = (house: House, id: string) =>
  saidLines(house.jobs.history(id)).map((entry) => entry.text);
