import { describe, expect, it } from 'vitest';
import { unpackChunkTable } from '../../../../main/inspect/formats/points/arithmetic.ts';
import { unpackLaz } from '../../../../main/inspect/headers/laz-perf.ts';
import { Encoder, type LazOptions, type LazPoint, lazFile } from './laz-files.ts';
import { readBytes } from './read-bytes.ts';

const plain = (count: number): readonly LazPoint[] => Array.from({ length: count }, () => ({ class: 1 }));
const traitsOf = async (options: LazOptions, isDeep = true) => {
  const { head, verdict, ...otherFields } = await readBytes('a.laz', lazFile(options), { deep: isDeep });
  expect(verdict).toBeNull();
  return { traits: head?.kind === 'las' ? head.traits : null, ...otherFields };
};

describe.each([0, 2, 6, 7])('a LAZ file of format %i', (format) => {
  const hasColours = format === 2 || format === 7;
  const bare = ['no-colours', 'unclassified'];

  it('a LAZ file unpacks to the points that were packed', async () => {
    const points = Array.from({ length: 40 }, (_, at) => ({
      class: (at * 7) % 5,
      grey: (at * 1_234) % 50_000,
    }));
    const bytes = lazFile({ format, chunks: [points], extra: 2 });
    const chunk = bytes.subarray(bytes.readUInt32LE(96) + 8);
    const length = bytes.readUInt16LE(105);
    const unpacked = await unpackLaz(chunk, { format, length, count: 40 });
    const read = points.map((_, at) => unpacked?.subarray(at * length, (at + 1) * length) ?? Buffer.alloc(0));
    expect(read.map((point) => point[format < 6 ? 15 : 16])).toEqual(points.map((point) => point.class));
    const colour = { 2: 20, 7: 30 }[format];
    if (colour !== undefined)
      expect(read.map((point) => point.readUInt16LE(colour + 2))).toEqual(points.map(({ grey }) => grey));
  });

  it.each([
    ['', {}],
    ['with a table of points too', { areUneven: true }],
    ['whose table’s place stands last', { isStreamed: true }],
    ['with further bytes', { extra: 5 }],
  ] as const)('a LAZ file has its classes and colours detected %s', async (_, lazOptions) => {
    const traitsWith = (...chunks: (readonly LazPoint[])[]) => traitsOf({ format, chunks, ...lazOptions });
    expect((await traitsWith(plain(60), plain(60), plain(9))).traits).toEqual(bare);
    // In the middle of the first, middle and last chunk.
    for (const place of [0, 1, 2]) {
      const chunks = [plain(60), plain(60), plain(60)].map((points, index) =>
        points.map((point, at) => (index === place && at > 20 ? { class: 6, grey: 300 } : point)),
      );
      expect((await traitsWith(...chunks)).traits, `${place}`).toEqual(hasColours ? [] : ['no-colours']);
    }
  });

  it('a LAZ file is read in a few places only', async () => {
    const chunks = Array.from({ length: 60 }, () =>
      plain(3_000).map((point, at) => ({ ...point, grey: at })),
    );
    const { traits, bytesRead } = await traitsOf({ format, chunks });
    expect(traits).toEqual(hasColours ? ['unclassified'] : bare);
    expect(bytesRead).toBeLessThan(150_000);
  });
});

it('LAZ points are not unpacked for the header alone', async () => {
  expect((await traitsOf({ format: 2, chunks: [plain(60)] }, false)).traits).toEqual([]);
});

it('unsupported LAZ items have no traits', async () => {
  expect((await traitsOf({ format: 2, chunks: [plain(60)], version: 1 })).traits).toEqual([]);
});

// Some formats have no colours by definition.
it.each([
  [4, 57, ['no-colours']],
  [5, 63, []],
  [9, 59, ['no-colours']],
  [10, 67, []],
])(
  'LAZ points of format %i, whose waveforms are not unpacked, have only header traits',
  async (format, length, expectedTraits) => {
    const bytes = lazFile({ format: format < 6 ? 2 : 7, chunks: [plain(60)] });
    const readIt = async () => {
      const { head, verdict } = await readBytes('a.laz', bytes, { deep: true });
      return { verdict, traits: head?.kind === 'las' ? head.traits : null };
    };
    expect((await readIt()).traits).toEqual(['no-colours', 'unclassified']);
    bytes.writeUInt8(format | 0x80, 104);
    bytes.writeUInt16LE(length, 105);
    expect(await readIt()).toEqual({ verdict: null, traits: expectedTraits });
  },
);

it('a chunk table with many chunks is read to its end', () => {
  const encoder = new Encoder();
  const sizes = Array.from(
    { length: 5_000 },
    (_, at) => ((at * 7_919) % 400_000) + (at % 3 === 0 ? 0 : 70_000),
  );
  for (const [index, size] of sizes.entries()) encoder.correction('table', 1, size - (sizes[index - 1] ?? 0));
  const read = unpackChunkTable(encoder.done(), sizes.length, false);
  expect(read.map(({ bytes }) => bytes)).toEqual(sizes);
});
