/**
 * One Tilelift of several on a network folder: claims every source that it is told of, as soon as it is told
 * to begin, and prints which it got.
 */
import { z } from 'zod';
import { systemClock } from '../../../../main/outside.ts';
import { createClaims } from '../../../../main/watch/claims/claims.ts';

const { folder, instance, sources, staleMs, watchedMs } = z
  .object({
    folder: z.string(),
    instance: z.string(),
    sources: z.number(),
    staleMs: z.number(),
    watchedMs: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const owner = { instance, host: 'here', pid: process.pid };
let aheadMs = 0;
const elapsed = () => performance.now() + aheadMs;
const claims = createClaims({ folder, owner, clock: systemClock, elapsed, staleMs });
const claimAll = (taken: (path: string) => void) =>
  Promise.all(
    Array.from({ length: sources }, async (_, index) => {
      const path = `source-${index}`;
      if ((await claims.claim(path, 'identity')) === 'ours') taken(path);
    }),
  );

// What is there is looked at so often, and so long apart, that the next look finds it given up.
const looks = 4;
for (let look = 0; look < looks && watchedMs > 0; look++) {
  await claimAll((path) => process.stderr.write(`${path} was not left alone\n`));
  aheadMs += watchedMs / looks;
}

process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const ours: string[] = [];
  await claimAll((path) => ours.push(path));
  process.stdout.write(`${JSON.stringify(ours)}\n`);
  process.exit(0);
});
