/**
 * A complete Tilelift without a window that may be killed at any moment, on a folder that survives. It signs
 * in if necessary, adds orders that its journal lacks, and resumes the rest.
 */
import { composeTilelift } from '../../main/app.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { silentLog } from '../../main/log.ts';
import { type Clock, systemClock } from '../../main/ports.ts';
import { parseServiceAddress } from '../../main/service/service-address.ts';
import { waitLimits } from '../../main/service/wait-limits.ts';
import { settingsInFile } from '../../main/settings-file.ts';
import { inEnglish } from '../../strings/sayer.ts';
import { allowInBrowser } from '../../test/service/person.ts';
import { type EngineLine, engineInput, vaultKeyVariable } from './engine.ts';
import { aesCipher } from './kept-in-files.ts';

const input = engineInput.parse(JSON.parse(process.argv[2] ?? '{}'));
const say = (line: EngineLine) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** The test service answers within a second, so no asset appears minutes after a lost response. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(isAfterCreation(ms) ? 5_000 : ms, signal),
};

function isAfterCreation(ms: number): boolean {
  return ms > waitLimits.poll && ms <= waitLimits.unansweredCreation;
}

const tilelift = composeTilelift({
  folder: input.folder,
  clock,
  fetch,
  openBrowser: async (link) => {
    await tilelift.accounts.handleCallback(await allowInBrowser(link));
  },
  cipher: aesCipher(process.env[vaultKeyVariable] ?? ''),
  settings: settingsInFile(input.folder),
  log: silentLog,
  uploadWorker: new URL('../../main/workers/upload-worker.ts', import.meta.url),
  scanWorker: new URL('../../main/workers/scan-worker.ts', import.meta.url),
  pollMs: 200,
});

/** Reports only a new state or at least one percent of progress. */
const reportedStates = new Map<string, string>();
tilelift.jobs.onChange((id) => {
  const job = tilelift.jobs.get(id);
  if (job) report(job);
});

function report(job: JobSnapshot): void {
  const percentDone = Math.floor((100 * job.bytesDone) / Math.max(1, job.bytesTotal ?? 0));
  const key = `${job.status} ${percentDone}`;
  if (reportedStates.get(job.id) === key) return;
  reportedStates.set(job.id, key);
  const { name, status, bytesDone, bytesTotal } = job;
  say({ kind: 'job', name, status, bytesDone, bytesTotal, lanes: job.concurrency ?? job.partsOnWire });
  if (job.endedAt === null) return;
  const history = tilelift.jobs.history(job.id).map(({ said: saidTexts }) => inEnglish.sayAll(saidTexts));
  say({ kind: 'ended', name, status, assetId: job.assetId, error: job.error?.code ?? null, history });
  leaveWhenDone();
}

function leaveWhenDone(): void {
  const names = new Set(tilelift.jobs.list().map(({ name }) => name));
  const haveAllEnded = tilelift.jobs.list().every((job) => job.endedAt !== null);
  if (!haveAllEnded || !input.orders.every(({ name }) => names.has(name))) return;
  say({ kind: 'done' });
  void tilelift.stop().then(() => process.exit(0));
}

/** Signs in whenever the sign-in is over, because a kill during a refresh may invalidate it. */
function staySignedIn(): Promise<string> {
  const { baseUrl, authUrl } = input;
  const { accounts } = tilelift;
  return new Promise((resolve) => {
    const checkJobs = () => {
      const state = accounts.state();
      if (state.kind === 'signed-in') resolve(state.account.id);
      if (state.kind === 'signed-out') void accounts.signIn(parseServiceAddress({ baseUrl, authUrl }));
    };
    accounts.onChange(checkJobs);
    checkJobs();
  });
}

await tilelift.start();
const accountId = await staySignedIn();
const knownNames = new Set(tilelift.jobs.list().map(({ name }) => name));
for (const { name, path } of input.orders) {
  if (knownNames.has(name)) continue;
  tilelift.jobs.add({
    accountId,
    paths: [path],
    body: { name, type: '3DTILES', options: { sourceType: '3D_CAPTURE' } },
    acceptForecast: true,
  });
}
for (const job of tilelift.jobs.list()) report(job);
