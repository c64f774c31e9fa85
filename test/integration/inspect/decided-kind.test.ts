import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { decisionMs, guessMs } from '../../../main/inspect/headers/look-inside.ts';
import { createInspection } from '../../../main/inspect/session/inspection.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { tiffFile } from '../../unit/inspect/formats/sample-heads.ts';

/** Inspects a folder. Waits of at most `patienceMs` end at once, all others never. */
async function lookWith(patienceMs: number) {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'dem.tif'), tiffFile({ size: [2, 2], bits: 32, sampleFormat: 3 }));
  const sleep: Clock['sleep'] = (ms) => (ms <= patienceMs ? Promise.resolve() : new Promise(() => {}));
  const clock: Clock = { ...systemClock, sleep };
  const looking = createInspection(clock);
  onTestFinished(() => looking.close());
  return async (longestMs: number) => {
    const { source, inDoubt } = await looking.inspect([folder], { longestMs });
    return [source.suggestion?.sourceType, inDoubt(source)] as const;
  };
}

it('waits for headers before acting on the kind and only guesses for the sheet', async () => {
  const inspect = await lookWith(decisionMs - 1);
  expect((await inspect(guessMs))[0]).toBe('RASTER_IMAGERY');
  expect(await inspect(decisionMs)).toEqual(['RASTER_TERRAIN', null]);
});

it('names the file that wasn’t read in time', async () => {
  const inspect = await lookWith(decisionMs);
  expect((await inspect(decisionMs))[1]).toMatch(/dem\.tif$/);
});
