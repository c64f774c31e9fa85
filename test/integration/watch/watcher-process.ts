/** A windowless Tilelift with one rule that kills itself at the given point, or exits when done. */
import { join } from 'node:path';
import { z } from 'zod';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import { openJournalOrRescue } from '../../../main/jobs/journal/journal-rescue.ts';
import { Jobs } from '../../../main/jobs/service/job-service.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import { settingsSchema } from '../../../main/settings.ts';
import { defaultTiming, watchRuleSchema } from '../../../main/watch/model/rule.ts';
import { createLedger, type Ledger } from '../../../main/watch/state/ledger/ledger.ts';
import { createWatchService } from '../../../main/watch/watch-service.ts';

export const points = [
  'before-the-job',
  'in-the-transaction',
  'taken',
  'before-the-receipt',
  'after-the-receipt',
  'moved',
  'ended',
] as const;
export type Point = (typeof points)[number];

const givenSchema = z.object({
  baseUrl: z.string(),
  authUrl: z.string(),
  token: z.string(),
  folder: z.string(),
  rule: watchRuleSchema,
  killAt: z.enum(points).nullable(),
});

if (process.argv[2]) await watch(givenSchema.parse(JSON.parse(process.argv[2])));

async function watch({ baseUrl, authUrl, token, folder, rule, killAt }: z.infer<typeof givenSchema>) {
  const dieAt = (point: Point) => {
    if (point === killAt) process.kill(process.pid, 'SIGKILL');
  };
  const api = createServiceClient({
    address: { baseUrl, authUrl },
    fetch,
    clock: systemClock,
    bearer: async () => token,
    onInvalidCredentials: async () => {},
  });
  const path = join(folder, 'journal.db');
  const { journal, database, ledgerIsWhole } = openJournalOrRescue(path, Date.now());
  const jobs = new Jobs({
    journal,
    vault: createVault({
      file: join(folder, 'vault.json'),
      cipher: {
        available: () => true,
        encrypt: (plain) => Buffer.from(plain),
        decrypt: (sealed) => sealed.toString(),
      },
    }),
    accounts: { serviceFor: () => api },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    pollMs: 20,
  });
  const real = createLedger(database, path);
  const ledger: Ledger = Object.assign(createLedger(database, path), {
    take: (...taken: Parameters<Ledger['take']>) => {
      real.take(...taken);
      dieAt('in-the-transaction');
    },
    addReceipt: (...receipt: Parameters<Ledger['addReceipt']>) => {
      dieAt('before-the-receipt');
      real.addReceipt(...receipt);
      dieAt('after-the-receipt');
    },
    change: (...[ruleId, source, change]: Parameters<Ledger['change']>) => {
      const isEnd = change.state === 'complete';
      if (isEnd) dieAt('moved');
      real.change(ruleId, source, change);
      if (isEnd) dieAt('ended');
    },
  });
  const add = jobs.add.bind(jobs);
  jobs.add = (job, alongside) => {
    dieAt('before-the-job');
    const id = add(job, alongside);
    dieAt('taken');
    return id;
  };
  let settings = settingsSchema.parse({ watchRules: [rule] });
  const watching = createWatchService({
    settings: {
      get: () => settings,
      update: (change) => {
        settings = { ...settings, ...change };
      },
    },
    jobs,
    accounts: {
      isReady: () => true,
      nameOf: (id) => id,
      serviceOf: () => null,
      readAsset: async () => Promise.reject(new Error('no mark names an asset here')),
    },
    ledger,
    ledgerIsWhole,
    owner: { instance: 'one', machine: 'one', host: 'office-1', pid: process.pid },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    timing: {
      ...defaultTiming,
      settleMs: { local: 150, network: 150 },
      gatherMs: 10,
      presenceMs: 100,
      renewLeaseMs: 100,
    },
  });
  await watching.start();
  jobs.start();
  const isDone = () => {
    const [snapshot] = watching.rules();
    return snapshot?.lastLookAt !== null && snapshot?.counts.complete === 1 && snapshot.counts.settling === 0;
  };
  watching.onChange(() => {
    if (isDone()) process.exit(0);
  });
}
