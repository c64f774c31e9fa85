/** A computer that tries to acquire each folder’s lease on command and prints those it got. */
import { z } from 'zod';
import { Lease } from '../../../../main/watch/lease/lease.ts';

const { folders, name, staleMs, watchedMs } = z
  .object({ folders: z.array(z.string()), name: z.string(), staleMs: z.number(), watchedMs: z.number() })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

let aheadMs = 0;
const leases = folders.map(
  (folder) =>
    new Lease({
      rule: { folder, name: 'rule', unit: { kind: 'entries' } },
      owner: { instance: name, machine: name, host: name, pid: process.pid },
      session: `${name} ${process.pid}`,
      clock: { now: () => Date.now(), elapsed: () => performance.now() + aheadMs },
      ...{ staleMs, formerMs: staleMs },
      onForeign: () => {},
    }),
);
const takeAll = async () =>
  (await Promise.all(leases.map((lease) => lease.acquire()))).flatMap(({ kind }, index) =>
    kind === 'ours' ? [folders[index] ?? ''] : [],
  );

// Checks often enough that the next check finds each lease stale.
const checks = 4;
for (let check = 0; check < checks && watchedMs > 0; check++) {
  for (const folder of await takeAll()) process.stderr.write(`${folder} was taken too early\n`);
  aheadMs += watchedMs / checks;
}

process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  process.stdout.write(`${JSON.stringify(await takeAll())}\n`);
  process.exit(0);
});
