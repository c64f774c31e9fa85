import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zip } from '../../../unit/inspect/formats/sample-files.ts';
import { cityModel } from '../../../unit/inspect/formats/sample-heads.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

/** Writes like a program of another user, for example a file server, whose open files are invisible. */
async function writeAndClose(path: string, bytes: Buffer): Promise<void> {
  await appendFile(path, bytes);
}

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
    ['town.kmz', zip({ comment: 'by hand' }), 'KML'],
    ['town.gml', Buffer.from(cityModel()), 'CITYGML'],
  ])(
    'creates an asset only from a complete file, although its writer is invisible: %s',
    async (name, bytes, sourceType) => {
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
