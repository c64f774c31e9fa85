import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LineShape, Wire, type WireLane } from '../../../tools/bench/line/wire.ts';

const shape: LineShape = {
  bytesPerSecond: 25_000_000,
  delayMs: 75,
  windowBytes: 1_000_000,
  stallEveryMs: null,
  resetEveryMs: null,
};
const piece = 65_536;

/** Arrival times in virtual time for connections that always send. */
function saturate(wire: Wire, connections: number, ms: number) {
  const lanes = Array.from({ length: connections }, () => wire.connect(0));
  const arrivals: { readonly at: number; readonly bytes: number }[] = [];
  const maxUnderWay = new Map<WireLane, number>();
  for (let now = 0; now < ms; now++) {
    for (let hasSent = true; hasSent; ) {
      hasSent = false;
      for (const lane of lanes) {
        const bytes = Math.min(piece, wire.freeRoom(lane, now));
        if (bytes === 0) continue;
        arrivals.push({ at: wire.send(lane, bytes, now), bytes });
        const bytesUnderWay = lane.unacknowledged.reduce((sum, piece) => sum + piece.bytes, 0);
        maxUnderWay.set(lane, Math.max(maxUnderWay.get(lane) ?? 0, bytesUnderWay));
        hasSent = true;
      }
    }
  }
  return { arrivals, most: Math.max(...maxUnderWay.values()) };
}

const arrivedBetween = (arrivals: ReturnType<typeof saturate>['arrivals'], start: number, end: number) =>
  arrivals.reduce((sum, { at, bytes }) => (at >= start && at < end ? sum + bytes : sum), 0);

it('Wire carries its rate for any number of connections', () => {
  for (const connections of [5, 20, 64]) {
    const { arrivals } = saturate(new Wire(shape, () => 0.5), connections, 12_000);
    const rate = arrivedBetween(arrivals, 1_000, 11_000) / 10;
    expect(rate / shape.bytesPerSecond, `${connections} connections`).toBeCloseTo(1, 1);
  }
});

it('Wire limits a connection to its window per round trip', () => {
  const { arrivals, most: maxUnderWay } = saturate(
    new Wire({ ...shape, bytesPerSecond: 1e9 }, () => 0.5),
    1,
    12_000,
  );
  expect(maxUnderWay).toBeLessThanOrEqual(shape.windowBytes);
  const rate = arrivedBetween(arrivals, 1_000, 11_000) / 10;
  expect(rate / (shape.windowBytes / 0.15)).toBeGreaterThan(0.97);
  expect(rate / (shape.windowBytes / 0.15)).toBeLessThanOrEqual(1.01);
});

it('Wire sends nothing before the handshake and delivers nothing before the delay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: piece }), (now, bytes) => {
      const wire = new Wire(shape, () => 0.5);
      const lane = wire.connect(now);
      expect(wire.freeRoom(lane, now + 149)).toBe(0);
      expect(wire.freeRoom(lane, now + 150)).toBe(shape.windowBytes);
      expect(wire.send(lane, bytes, now + 150)).toBeCloseTo(now + 225 + bytes / 25_000, 6);
    }),
  );
});

it('Wire stalls on schedule and then delivers what it held', () => {
  const { arrivals } = saturate(new Wire({ ...shape, stallEveryMs: 2_000 }, () => 0.5), 8, 30_000);
  const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0));
  const stalls = gaps.filter((gap) => gap > 200);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  expect(stalls.length).toBeGreaterThan(8);
  expect(Math.max(...stalls)).toBeLessThan(1_010);
});
