import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { createThumbnails } from '../../../main/ipc/thumbnails.ts';
import { createThumbnailFiles } from '../../../main/jobs/thumbnail-files.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const png = new Uint8Array([1, 2, 3]);
const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
const encoded = { size: null, parts: [{ x: 0, y: 0, bytes: new Uint8Array([9]) }] };

/** Thumbnails of jobs `a`, not yet scanned, and `b`; the thread answers by path. */
function setUp(answer: (path: string) => unknown = () => png) {
  const folder = join(temporaryFolder(), 'thumbnails');
  const thumbnailFiles = createThumbnailFiles(folder);
  const asked: string[] = [];
  const closed = vi.fn();
  const known = new Map([
    ['a', { id: 'a', sourceType: 'RASTER_IMAGERY', status: 'queued', fileCount: null as number | null }],
    ['b', { id: 'b', sourceType: 'POINT_CLOUD', status: 'uploading', fileCount: 1 }],
  ]);
  const plans = new Map([['b', [{ key: 'x.laz', path: '/data/x.laz' }]]]);
  let notify: (id: string) => void = () => {};
  const parts = {
    tilelift: {
      thumbnailFiles,
      jobs: {
        get: (id: string) => known.get(id),
        firstFiles: (id: string) => plans.get(id) ?? [],
        ofAsset: (account: string, id: number) =>
          account === 'me' && id === 7
            ? [
                { id: 'gone', isListed: false },
                { id: 'b', isListed: true },
              ]
            : [],
        onChange: (listener: typeof notify) => {
          notify = listener;
          return () => {};
        },
      },
      inspector: {
        ask: async (_: string, { pieces }: { readonly pieces?: readonly number[] }) =>
          pieces?.[0] === 3 ? '/data/a.tif' : null,
      },
    },
    accountId: () => 'me',
    decode: vi.fn(async () => ({ width: 1, height: 1, rgba: new Uint8Array(4) })),
    openThread: () => ({
      ask: async ({ path }: { readonly path: string }) => {
        asked.push(path);
        return answer(path);
      },
      close: closed,
    }),
  };
  const thumbnails = createThumbnails(parts as unknown as Parameters<typeof createThumbnails>[0]);
  return {
    thumbnails,
    thumbnailFiles,
    folder,
    asked,
    closed,
    known,
    plans,
    decode: parts.decode,
    notify: (id: string) => notify(id),
  };
}

describe('createThumbnails()', () => {
  it('draws that of a job once and stores it for the user only', async () => {
    const { thumbnails, asked, folder } = setUp();
    expect(await Promise.all([thumbnails.of({ jobId: 'b' }), thumbnails.of({ jobId: 'b' })])).toEqual([
      address,
      address,
    ]);
    expect(await thumbnails.of({ assetId: 7 })).toBe(address);
    expect(asked).toEqual(['/data/x.laz']);
    expect(readdirSync(folder)).toEqual(['b.png']);
    expect([statSync(folder), statSync(join(folder, 'b.png'))].map(({ mode }) => mode & 0o077)).toEqual([
      0, 0,
    ]);
  });

  it('has none for unknown jobs and assets', async () => {
    const { thumbnails, asked } = setUp();
    expect(await Promise.all([{ jobId: '../b' }, { assetId: 8 }].map(thumbnails.of))).toEqual([null, null]);
    expect(asked).toEqual([]);
  });

  it('draws the pieces of the sheet, which its job then shows before it is scanned', async () => {
    const { thumbnails, thumbnailFiles } = setUp();
    expect(await thumbnails.of({ jobId: 'a' })).toBeNull();
    expect(await Promise.all([{ pieces: [3] }, { pieces: [1] }].map(thumbnails.of))).toEqual([address, null]);
    thumbnails.adopt('a', { pieces: [3] });
    expect(await thumbnails.of({ jobId: 'a' })).toBe(address);
    thumbnailFiles.remove('a');
    await expect.poll(() => thumbnailFiles.read('a')).toBeNull();
  });

  it('uses the globe’s picture for the uploads of the viewed asset, also where data had none', async () => {
    const { thumbnails, folder } = setUp(() => null);
    expect(await thumbnails.of({ jobId: 'b' })).toBeNull();
    await thumbnails.replace('other', 7, png);
    expect(await thumbnails.of({ jobId: 'b' })).toBeNull();
    await thumbnails.replace('me', 7, png);
    expect(await thumbnails.of({ jobId: 'b' })).toBe(address);
    expect(readdirSync(folder)).toEqual(['b.png']);
  });

  it('draws a job once its files are listed, although nobody asks', async () => {
    const { thumbnailFiles, notify, known, plans, asked } = setUp();
    notify('a');
    known.set('a', { id: 'a', sourceType: 'RASTER_IMAGERY', status: 'uploading', fileCount: 1 });
    plans.set('a', [{ key: 'a.tif', path: '/data/a.tif' }]);
    for (let count = 0; count < 5; count++) notify('a');
    await expect.poll(() => thumbnailFiles.read('a')).toEqual(Buffer.from(png));
    expect(asked).toEqual(['/data/a.tif']);
  });

  it('decodes pictures in the sandbox, and doesn’t retry what can’t be drawn', async () => {
    const { thumbnails, decode, asked } = setUp(() => encoded);
    expect(await thumbnails.of({ jobId: 'b' })).toContain('data:image/png;base64,iVBOR');
    expect(decode).toHaveBeenCalledWith(encoded);
    const broken = setUp(() => null);
    expect([await broken.thumbnails.of({ jobId: 'b' }), await broken.thumbnails.of({ jobId: 'b' })]).toEqual([
      null,
      null,
    ]);
    expect(broken.asked).toEqual(asked);
  });
});

describe('a drive that doesn’t answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('S157: costs four threads at most', async () => {
    const { thumbnails, asked, closed } = setUp(() => new Promise(() => {}));
    const drawn = Promise.all(Array.from({ length: 6 }, () => thumbnails.of({ pieces: [3] })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await drawn).toEqual(Array.from({ length: 6 }, () => null));
    expect([asked.length, closed.mock.calls.length]).toEqual([4, 4]);
  });
});

describe('createThumbnailFiles()', () => {
  it('deletes the oldest beyond a thousand', async () => {
    const folder = join(temporaryFolder(), 'thumbnails');
    const files = createThumbnailFiles(folder);
    await files.write('oldest', png);
    utimesSync(join(folder, 'oldest.png'), 1, 1);
    for (let count = 0; count < 999; count++) writeFileSync(join(folder, `job-${count}.png`), png);
    await files.write('newest', png);
    expect(readdirSync(folder)).toHaveLength(1_000);
    expect(await files.read('oldest')).toBeNull();
  });
});

it('S158: a page names a job, an asset or pieces, never a path', () => {
  const isAccepted = (input: unknown) => callInputs['thumbnails.of'].safeParse(input).success;
  const id = '0b8f1c5e-4f0e-4c39-9d4e-3a1f6c2b7d10';
  expect(
    [{ jobId: id }, { assetId: 7 }, { pieces: [0], leftOut: [{ keys: ['a.tif'] }] }, {}].map(isAccepted),
  ).not.toContain(false);
  expect(
    [
      { jobId: '../../vault' },
      { path: '/etc/passwd' },
      { jobId: id, path: '/' },
      { pieces: ['/'] },
      { leftOut: [{ keys: ['/etc/passwd'] }] },
      null,
    ].map(isAccepted),
  ).not.toContain(true);
});
