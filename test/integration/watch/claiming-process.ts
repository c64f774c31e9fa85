/** One Tilelift of several on a network folder: claims every source that it is told of, as soon as it is told to begin, and prints which it got. */
import { z } from 'zod';
import { systemClock } from '../../../main/outside.ts';
import { createClaims } from '../../../main/watch/claims/claims.ts';

const { folder, instance, sources, staleMs } = z
  .object({ folder: z.string(), instance: z.string(), sources: z.number(), staleMs: z.number() })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const owner = { instance, host: 'here', pid: process.pid };
const claims = createClaims({ folder, owner, clock: systemClock, staleMs });

process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const ours: string[] = [];
  await Promise.all(
    Array.from({ length: sources }, async (_, index) => {
      const path = `source-${index}`;
      if ((await claims.claim(path, 'identity')) === 'ours') ours.push(path);
    }),
  );
  process.stdout.write(`${JSON.stringify(ours)}\n`);
  process.exit(0);
});
