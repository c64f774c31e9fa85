/**
 * `npm run chaos`: uploads while the engine is killed and the service fails repeatedly, then compares every
 * object with its source. Exit code 1 if anything was lost, corrupted or duplicated, or a recorded comparison
 * is false; 2 for bad arguments.
 */
import { join } from 'node:path';
import { objectStore } from '../../test/rgw/settings.ts';
import { readArguments, usage } from './arguments.ts';
import { chaos, isClean, mebibytes, sum } from './chaos.ts';
import { chanceFrom } from './random.ts';
import { runCommand } from './run-command.ts';
import { makeSources } from './sources.ts';
import { EmbeddedStore } from './stores/embedded-store.ts';
import { ExternalStore } from './stores/external-store.ts';

process.exitCode = await runCommand({
  usage,
  read: readArguments,
  work: async ({ seed, measure, kills, stores }, folder, say) => {
    const chance = chanceFrom(seed);
    say(`Seed ${seed}. Making the sources …`);
    const sources = await makeSources(join(folder, 'sources'), chance.branch('sources'), measure);
    for (const { kind, files } of sources)
      say(`  ${kind}: ${files.length} files, ${mebibytes(sum(files))} MiB`);
    const scores = [];
    for (const name of stores) {
      say(`Storage: ${name}`);
      const store =
        name === 'external'
          ? await ExternalStore.open(objectStore('chaos'))
          : new EmbeddedStore(name, chance.branch('mind of storage'));
      const score = await chaos({ kills, chance, sources, store }, join(folder, name), say);
      scores.push({ store: name, ...score });
    }
    const [firstScore] = scores;
    const result = scores.length === 1 ? { ...firstScore, seed } : { stores: scores, seed };
    return { result, isGood: scores.every(isClean) };
  },
});
