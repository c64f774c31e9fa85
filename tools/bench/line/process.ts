/** Process of the line: one relay that ends with its parent. Started by `launch.ts`. */
import { z } from 'zod';
import { chanceFrom } from '../../chaos/random.ts';
import { doorSchema, standardHosts } from '../door.ts';
import { openRelay } from './relay.ts';

const { far: farDoor, shape } = z
  .object({
    far: doorSchema,
    shape: z.object({
      bytesPerSecond: z.number(),
      delayMs: z.number(),
      windowBytes: z.number(),
      stallEveryMs: z.number().nullable(),
      resetEveryMs: z.number().nullable(),
    }),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

// A fixed seed repeats the same disturbances in each run.
const chance = chanceFrom('line');
const relay = await openRelay(farDoor, shape, () => chance.next(), standardHosts.line);
process.on('disconnect', () => process.exit());
process.send?.(relay.door);
