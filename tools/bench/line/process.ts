/** The line's own process: one relay, until its parent lets go. Started by `launch.ts`. */
import { z } from 'zod';
import { chanceFrom } from '../../chaos/random.ts';
import { openRelay } from './relay.ts';

const { port, shape } = z
  .object({
    port: z.number(),
    shape: z.object({
      bytesPerSecond: z.number(),
      delayMs: z.number(),
      windowBytes: z.number(),
      stallEveryMs: z.number().nullable(),
      resetEveryMs: z.number().nullable(),
    }),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

// The same troubles in each run of the benchmark.
const chance = chanceFrom('line');
const relay = await openRelay(port, shape, () => chance.next());
process.on('disconnect', () => process.exit());
process.send?.({ port: relay.port });
