import { hash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laneCount, Md5Lane, Md5Lanes } from '../../../../main/source/sums/md5-lanes.ts';
import { md5LanesCode } from '../../../../main/source/sums/md5-lanes-code.ts';
import { RunningMd5 } from '../../../../main/source/sums/running-md5.ts';
import { makeModules } from '../../../../tools/sums/modules.ts';

const bytes = randomBytes(200_000);
const md5Of = (of: Buffer) => hash('md5', of, 'hex');

/** Texts cut into pieces: for each turn, how much of each lane comes in it. */
const turns = fc.array(
  fc.array(fc.integer({ min: 0, max: 70_000 }), { minLength: 1, maxLength: laneCount }),
  {
    maxLength: 6,
  },
);

describe('MD5 of four side by side', () => {
  const lanes = Md5Lanes.create();
  if (!lanes) throw new Error('there is no WebAssembly here');

  it('tells what OpenSSL tells, whatever comes of each in a turn', () => {
    fc.assert(
      fc.property(
        turns,
        fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 4 }),
        (all, from) => {
          const texts = from.map((start) => ({ lane: new Md5Lane(), start, end: start }));
          for (const turn of all) {
            const pieces = turn.flatMap((length, index) => {
              const text = texts[index];
              if (!text) return [];
              const begin = text.end;
              text.end = Math.min(bytes.length, begin + length);
              return [{ lane: text.lane, bytes: bytes.subarray(begin, text.end) }];
            });
            lanes.update(pieces);
          }
          for (const { lane, start, end } of texts)
            expect(lanes.digest(lane).toString('hex')).toBe(md5Of(bytes.subarray(start, end)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128])('pads %i bytes as RFC 1321 says', (length) => {
    const lane = new Md5Lane();
    lanes.update([{ lane, bytes: bytes.subarray(0, length) }]);
    expect(lanes.digest(lane).toString('hex')).toBe(md5Of(bytes.subarray(0, length)));
  });

  it('counts more bits than a word holds', () => {
    const lane = new Md5Lane();
    const block = Buffer.alloc(2 ** 26);
    for (let times = 0; times < 9; times++) lanes.update([{ lane, bytes: block }]);
    expect(lanes.digest(lane).toString('hex')).toBe(md5Of(Buffer.alloc(9 * 2 ** 26)));
  });

  it('is the WebAssembly that its text says', async () => {
    expect(md5LanesCode).toBe((await makeModules()).md5Lanes);
  });

  // Should it bring nothing any more, all of this can go.
  it.runIf(process.arch === 'x64')('is quicker for four than one after the other', () => {
    const side = () => lanes.update(Array.from({ length: 4 }, () => ({ lane: new Md5Lane(), bytes })));
    const each = () => {
      for (let times = 0; times < 4; times++) md5Of(bytes);
    };
    const ratios = Array.from({ length: 15 }, () => timeOf(each) / timeOf(side));
    expect(ratios.sort((a, b) => a - b)[7]).toBeGreaterThan(1.3);
  });
});

describe('MD5 of bytes that come piece by piece', () => {
  it('tells what OpenSSL tells, however many come in one turn, and whoever ends before', async () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 11 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 40_000 }), async (all, piece) => {
        const found = await Promise.all(all.map((length) => md5InPieces(bytes.subarray(0, length), piece)));
        expect(found).toEqual(all.map((length) => md5Of(bytes.subarray(0, length))));
      }),
      { numRuns: 60 },
    );
  });

  it('goes the ordinary way for whoever is alone, with others side by side later', async () => {
    const alone = new RunningMd5();
    await alone.update(bytes);
    expect(alone.isInLane).toBe(false);
    const others = [new RunningMd5(), new RunningMd5()];
    await Promise.all([alone, ...others].map((one) => one.update(bytes)));
    expect(others.map(({ isInLane }) => isInLane)).toEqual([true, true]);
    expect(alone.digest().toString('hex')).toBe(md5Of(Buffer.concat([bytes, bytes])));
    expect(others.map((one) => one.digest().toString('hex'))).toEqual([md5Of(bytes), md5Of(bytes)]);
  });
});

async function md5InPieces(of: Buffer, piece: number): Promise<string> {
  const sum = new RunningMd5();
  for (let at = 0; at < of.length; at += piece) await sum.update(of.subarray(at, at + piece));
  return sum.digest().toString('hex');
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  for (let times = 0; times < 20; times++) work();
  return performance.now() - began;
}
