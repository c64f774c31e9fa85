import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { chaos, type Score } from '../../tools/chaos/chaos.ts';
import { type Chance, chanceFrom } from '../../tools/chaos/random.ts';
import { makeSources, type Source } from '../../tools/chaos/sources.ts';
import { EmbeddedStore, type StoreName } from '../../tools/chaos/stores/embedded-store.ts';
import { suiteFolder } from '../temporary-folder.ts';

/** A short `npm run chaos`: a few kills with each kind of storage, without other faults. */
const kills = 2;
const measure = { largeBytes: 40 * 2 ** 20, smallFiles: 30, mix: 'few' } as const;
const patienceMs = 300_000;

const folder = suiteFolder();
let chance: Chance;
let sources: readonly Source[];
let verdicts: string[];

beforeAll(async () => {
  chance = chanceFrom('the short form');
  sources = await makeSources(join(folder, 'sources'), chance.branch('sources'), measure);
}, patienceMs);

async function playOn(name: StoreName): Promise<Score> {
  verdicts = [];
  const store = new EmbeddedStore(name, chance.branch(name), 'nothing');
  return chaos({ kills, chance: chance.branch(name), sources, store }, join(folder, name), (text) =>
    verdicts.push(text),
  );
}

function expectZeros({ corrupt, lostFiles, duplicateAssets, falseProofs }: Score): void {
  const zeros = { corrupt: 0, lostFiles: 0, duplicateAssets: 0, falseProofs: 0 };
  expect({ corrupt, lostFiles, duplicateAssets, falseProofs }, verdicts.join('\n')).toEqual(zeros);
}

it(
  'loses nothing when killed with storage that compares CRC32s, and records them as compared',
  async () => {
    const score = await playOn('verifies');
    expectZeros(score);
    expect(score.comparedByCrc32).toBeGreaterThan(measure.smallFiles);
    expect(score.comparedByMd5).toBe(0);
  },
  patienceMs,
);

it(
  'loses nothing when killed with storage that ignores CRC32s, and records none as compared',
  async () => {
    const score = await playOn('ignores');
    expectZeros(score);
    expect(score.comparedByCrc32).toBe(0);
    expect(score.comparedByMd5).toBeGreaterThan(measure.smallFiles);
  },
  patienceMs,
);

it(
  'loses nothing when killed while storage stops comparing CRC32s, and records only compared ones',
  async () => {
    const score = await playOn('changing');
    expectZeros(score);
    expect(score.comparedByCrc32 + score.comparedByMd5).toBeGreaterThan(measure.smallFiles);
  },
  patienceMs,
);
