/**
 * A Tilelift without a window, to be killed. Resumes its folder's journal or begins with the given source,
 * and prints a line of JSON for every confirmed part and at the end.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import type { ChosenChanges } from '../../../main/inspect/changes/chosen-changes.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { Jobs } from '../../../main/jobs/service/job-service.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import { peakBytes } from '../../../tools/bench/peak-memory.ts';

const { baseUrl, authUrl, token, folder, source, changes } = z
  .object({
    baseUrl: z.string(),
    authUrl: z.string(),
    token: z.string(),
    folder: z.string(),
    source: z.string(),
    changes: z.custom<ChosenChanges>().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const api = createServiceClient({
  address: { baseUrl, authUrl },
  fetch,
  clock: systemClock,
  bearer: async () => token,
  onInvalidCredentials: async () => {},
});
const jobs = new Jobs({
  journal: openJournal(join(folder, 'journal.db')),
  vault: createVault({
    file: join(folder, 'vault.json'),
    cipher: {
      available: () => true,
      encrypt: (plain) => Buffer.from(plain),
      decrypt: (sealedBytes) => sealedBytes.toString(),
    },
  }),
  accounts: { serviceFor: () => api },
  clock: systemClock,
  random: Math.random,
  log: silentLog,
  pollMs: 20,
});

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const residentAtStart = process.memoryUsage().rss;
let reportedParts = -1;
jobs.onChange((id) => {
  const job = jobs.get(id);
  if (!job) return;
  if (job.partsDone !== reportedParts) {
    reportedParts = job.partsDone;
    say({ partsDone: reportedParts });
  }
  if (job.endedAt !== null) {
    say({ status: job.status, error: job.error, growth: peakBytes() - residentAtStart });
    process.exit(job.status === 'complete' ? 0 : 1);
  }
});
jobs.start();
if (jobs.list().length === 0) {
  jobs.add({
    accountId: 'me',
    paths: [source],
    body: { name: 'Altstadt', type: '3DTILES', options: { sourceType: 'POINT_CLOUD' } },
    acceptForecast: true,
    ...(changes ? { changes } : {}),
  });
}
