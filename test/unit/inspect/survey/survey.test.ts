import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { HeaderCache } from '../../../../main/inspect/headers/header-cache.ts';
import type { HeaderAnswer, HeaderTask } from '../../../../main/inspect/headers/read-header.ts';
import {
  longestMs,
  type SurveyNews,
  type SurveyParts,
  silentMs,
  survey,
} from '../../../../main/inspect/survey/survey.ts';
import type { LonLat } from '../../../../shared/source.ts';

const ring: readonly LonLat[] = [
  [9, 50],
  [9, 51],
  [10, 51],
  [9, 50],
];
const head: HeaderAnswer = {
  head: { kind: 'grid', corners: null },
  sidecarSystemName: 'EPSG:25832',
  verdict: null,
};
const file = (key: string): SourceFile => ({
  ...{ key, path: `/data/${key}`, size: 100, mtimeMs: 1 },
  identity: { fileId: null, ctimeMs: 2 },
});
const tiles = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}.asc`));

/** A survey on a clock that only reads move: each takes `readMs`. */
function house(readMs = 0.1, over: Partial<SurveyParts> = {}) {
  const told: SurveyNews[] = [];
  const here: string[] = [];
  const elsewhere: string[] = [];
  const stop = new AbortController();
  let now = 0;
  let pauses = 0;
  const read = (into: string[]) => async (task: HeaderTask) => {
    now += readMs;
    into.push(task.key);
    return head;
  };
  const parts: Omit<SurveyParts, 'findings'> = {
    cache: new HeaderCache(),
    outline: () => ring,
    read: read(here),
    openReaders: () => ({ readers: Array.from({ length: 16 }, () => read(elsewhere)), close: () => {} }),
    now: () => now,
    pause: async () => {
      pauses++;
    },
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    tell: (news) => told.push(news),
    ...over,
  };
  return {
    ...{ told, here, elsewhere, stop, parts },
    pauses: () => pauses,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    run: (files: readonly SourceFile[]) => {
      const findings = createFindings(files, null);
      return survey(files, { ...parts, findings }, stop.signal);
    },
  };
}

describe('a survey', () => {
  it('looks into all files, tells what it sees as it goes, and last that it is done', async () => {
    const { run, told, here, pauses } = house(10);
    await run(tiles(8));
    expect(here).toHaveLength(8);
    expect(told.at(-1)?.seen).toMatchObject({ state: 'done', looked: 8, total: 8, placed: 8 });
    const { run: again, told: longer, elsewhere } = house(10);
    await again(tiles(200));
    expect(elsewhere).toHaveLength(191);
    expect(longer.length).toBeGreaterThan(3);
    expect(longer.slice(0, -1).every(({ seen }) => seen.state === 'looking')).toBe(true);
    // Each footprint travels once.
    expect(longer.flatMap(({ footprints }) => footprints.keys).sort()).toEqual(
      tiles(200)
        .map(({ key }) => key)
        .sort(),
    );
    expect(pauses()).toBeGreaterThan(0);
  });

  it('reads in one thread where files come fast, and lets messages in every few milliseconds', async () => {
    const { run, here, elsewhere, pauses } = house(1);
    await run(tiles(500));
    expect([here.length, elsewhere.length]).toEqual([500, 0]);
    expect(pauses()).toBeGreaterThanOrEqual(30);
  });

  it('has several read at a time where a file takes long', async () => {
    const { run, here, elsewhere, told } = house(3);
    await run(tiles(100));
    expect([here.length, elsewhere.length]).toEqual([9, 91]);
    expect(told.at(-1)?.seen.state).toBe('done');
  });

  it('reads no further once it is stopped, and says so', async () => {
    const { parts, stop, told } = house(1);
    let reads = 0;
    const read: SurveyParts['read'] = async () => {
      if (++reads === 30) stop.abort();
      return head;
    };
    const findings = createFindings(tiles(1000), null);
    await survey(tiles(1000), { ...parts, findings, read }, stop.signal);
    expect(reads).toBe(30);
    expect(told.at(-1)?.seen).toMatchObject({ state: 'stopped', total: 1000 });
    // What was under way is not waited for.
    expect(told.at(-1)?.seen.looked).toBeLessThan(30);
  });

  it('waits for no reader that waits for a drive', async () => {
    const never = () => new Promise<never>(() => {});
    let closed = false;
    const { told, run, stop } = house(5, {
      openReaders: () => ({
        readers: [
          never,
          () => {
            stop.abort();
            return never();
          },
        ],
        close: () => {
          closed = true;
        },
      }),
    });
    await run(tiles(50));
    expect(closed).toBe(true);
    expect(told.at(-1)?.seen).toMatchObject({ state: 'stopped', looked: 9 });
    // Nor longer than half a minute where nothing is heard.
    const late: ReturnType<typeof house> = house(5, {
      openReaders: () => ({ readers: [never], close: () => {} }),
      wait: async (ms) => late.pass(ms),
    });
    await late.run(tiles(50));
    expect(late.now()).toBeLessThan(longestMs + silentMs);
    expect(late.told.at(-1)?.seen).toMatchObject({ state: 'stopped', looked: 9 });
  });

  it('ends after two minutes', async () => {
    const { run, told } = house(1000);
    await run(tiles(1000));
    const seen = told.at(-1)?.seen;
    expect(seen).toMatchObject({ state: 'stopped', total: 1000 });
    // The readers that were under way when the time was over are counted.
    expect(seen?.looked).toBeLessThanOrEqual(120 + 16);
  });

  it('opens no file a second time that has not changed', async () => {
    const first = house();
    await first.run(tiles(30));
    const { cache } = first.parts;
    const second = house(0.1, { cache });
    const changed = { ...file('7.asc'), mtimeMs: 9 };
    await second.run(tiles(30).with(7, changed));
    expect(second.here).toEqual(['7.asc']);
    expect(second.told.at(-1)?.seen).toMatchObject({ state: 'done', looked: 30 });
  });

  it('is one of nothing where no file holds data', async () => {
    const { run, told } = house();
    await run([file('notes.txt')]);
    expect(told.map(({ seen }) => [seen.state, seen.total])).toEqual([['done', 0]]);
  });
});
