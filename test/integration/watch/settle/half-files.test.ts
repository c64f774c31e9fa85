import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { las, tiff, zip } from '../../../unit/inspect/formats/sample-files.ts';
import { cityModel } from '../../../unit/inspect/formats/sample-heads.ts';
import { movableClock, openWatchFixture, type WatchFixture } from '../fixture.ts';

/** Writes like a program of another user, for example a file server, whose open files are invisible. */
async function writeAndClose(path: string, bytes: Buffer): Promise<void> {
  await appendFile(path, bytes);
}

/** Replaces the spaces that keep numbers and units together. */
const plain = (words: string) => words.replaceAll(/[^\x20-\x7e]+/g, ' ');

let fixture: WatchFixture;
/** Matches files of any kind of data. */
const anyFile = { unit: { kind: 'files', patterns: ['*'] } } as const;
afterEach(() => fixture.close());
const at = (name: string) => join(fixture.incoming, name);

async function bytesOf(assetId: number | null): Promise<number> {
  const objects = await fixture.service.control.objects(`sources/${assetId}/`);
  return objects.reduce((sum, { size }) => sum + size, 0);
}

describe('half a file', () => {
  beforeEach(async () => {
    fixture = await openWatchFixture();
  });

  it.each([
    ['ortho.tif', tiff()],
    ['cloud.las', las({ minor: 4, further: 30 })],
    ['town.kmz', zip({ comment: 'by hand' }), 'KML'],
    ['town.gml', Buffer.from(cityModel()), 'CITYGML'],
  ])(
    'creates an asset only from a complete file, although its writer is invisible: %s',
    async (name, bytes, sourceType = '3D_CAPTURE') => {
      const rule = await fixture.rule({ ...anyFile, sourceType });
      const half = bytes.length - 9;
      await writeFile(at(name), bytes.subarray(0, half));
      await fixture.untilSource(rule, name, ({ why, state }) => {
        expect(state).toBe('settling');
        return /truncated/.test(why);
      });
      // A later source has time to settle meanwhile.
      await fixture.write({ 'meanwhile/a.bin': 100 });
      await fixture.untilSource(
        rule,
        'meanwhile/a.bin',
        ({ state }) => state === 'under-way' || state === 'complete',
      );
      expect(fixture.assets().map(({ name }) => name)).not.toContain(name.split('.')[0]);
      await writeAndClose(at(name), bytes.subarray(half));
      const { assetId } = await fixture.untilComplete(rule, name);
      expect(await bytesOf(assetId)).toBe(bytes.length);
      expect(fixture.statuses()).toHaveLength(2);
    },
  );
});

describe('a source picked up during a pause', () => {
  it('makes a rule wait longer once a source continues that was picked up during a pause', async () => {
    fixture = await openWatchFixture();
    const rule = await fixture.rule({ ...anyFile, whenChanged: 'hold' });
    await fixture.write({ 'scan.xyz': 1_000 });
    await fixture.untilComplete(rule, 'scan.xyz');
    await writeAndClose(at('scan.xyz'), Buffer.alloc(1_000, 49));
    fixture.watch.rescanAll('the test');
    await expect
      .poll(() => fixture.statuses(), { timeout: 20_000 })
      .toEqual(['scan COMPLETE', 'scan COMPLETE']);
    await fixture.write({ 'next.xyz': 1_000 });
    await fixture.untilSource(rule, 'next.xyz', ({ why }) => why.includes('files here can pause'));
  });
});

describe('a server that stalls within a file without a recognizable end', () => {
  const second = 1_000;
  const clock = movableClock();
  const name = 'scan.xyz';
  /** Counts the started scans and records whether the latest has ended. */
  const scanRuns = { begun: 0, hasEnded: false };
  beforeEach(async () => {
    fixture = await openWatchFixture({
      clock,
      elapsed: clock.elapsed,
      timing: { settleMs: { local: 90 * second, network: 90 * second } },
      wrapLedger: (ledger) => {
        const { longestPause } = ledger;
        const counted: typeof longestPause = (ruleId) => {
          scanRuns.begun++;
          scanRuns.hasEnded = false;
          return longestPause(ruleId);
        };
        return Object.assign(ledger, { longestPause: counted });
      },
    });
  });

  /** Moves the clock until another scan has ended. */
  async function untilScan(): Promise<void> {
    const before = scanRuns.begun;
    const stop = fixture.watch.onChange(() => {
      scanRuns.hasEnded = true;
    });
    clock.move(31 * second);
    await expect.poll(() => scanRuns.begun > before && scanRuns.hasEnded, { timeout: 20_000 }).toBe(true);
    stop();
  }

  it('makes a rule wait longer than a server stalls, even after a restart', async () => {
    const rule = await fixture.rule(anyFile);
    const untilBytes = (wanted: number) =>
      fixture.untilSource(rule, name, ({ bytes, state }) => {
        expect(state).toBe('settling');
        return bytes === wanted;
      });
    await writeAndClose(at(name), Buffer.alloc(1_000, 49));
    const first = await untilBytes(1_000);
    expect(plain(first.why)).toMatch(/^Stable for \d+ s of 1 min 30 s$/);
    for (let count = 0; count < 2; count++) await untilScan();
    await writeAndClose(at(name), Buffer.alloc(1_000, 50));
    await untilScan();
    const { why } = await untilBytes(2_000);
    expect(plain(why)).toMatch(
      /^Stable for \d+ s of \d min( \d+ s)?: files here can pause for up to 1 min( \d+ s)?$/,
    );

    await fixture.restart();
    await untilBytes(2_000);
    // Longer than the default, but shorter than the learned time.
    for (let count = 0; count < 4; count++) await untilScan();
    await writeAndClose(at(name), Buffer.alloc(1_000, 51));
    await untilScan();
    await untilBytes(3_000);
    expect(fixture.statuses()).toEqual([]);
    const isSettling = () => {
      clock.move(31 * second);
      return fixture.watch.sources(rule.id)[0]?.state === 'settling';
    };
    await expect.poll(isSettling, { timeout: 20_000, interval: 300 }).toBe(false);
    const { assetId } = await fixture.untilComplete(rule, name);
    expect(await bytesOf(assetId)).toBe(3_000);
    expect(fixture.statuses()).toEqual(['scan COMPLETE']);
  });
});
