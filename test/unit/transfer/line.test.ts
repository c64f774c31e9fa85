import { expect, it } from 'vitest';
import { Line } from '../../../main/transfer/line.ts';

/** Confirms a part of 10 kB each second. */
function lineAfter(seconds: number): { line: Line; now: number } {
  const line = new Line(0);
  for (let at = 0; at < seconds; at++) line.arrive((at + 1) * 1_000, line.beginFlight(at * 1_000, 10_000));
  return { line, now: seconds * 1_000 };
}

it('Line estimates nothing before a confirmation', () => {
  const line = new Line(0);
  const flight = line.beginFlight(0, 10_000);
  flight.writtenBytes = 10_000;
  expect(line.rate(3_000)).toBeNull();
  expect(line.arrivedBytes(3_000)).toBeGreaterThan(0);
  expect(line.arrivedBytes(60_000)).toBeLessThan(10_000);
});

it('Line estimates other flights from one confirmation', () => {
  const line = new Line(0);
  const flights = [10_000, 20_000, 20_000].map((size) => line.beginFlight(0, size));
  for (const flight of flights) flight.writtenBytes = flight.size;
  const [firstFlight] = flights;
  if (!firstFlight) throw new Error('no flight');
  line.arrive(3_000, firstFlight);
  expect(line.rate(3_000)).toBeCloseTo(10_000, 5);
  expect(line.arrivedBytes(3_000)).toBeCloseTo(20_000, 5);
  expect(line.bytesAhead(3_000)).toBeCloseTo(20_000, 5);
});

it('Line never counts unwritten bytes as arrived', () => {
  const { line, now } = lineAfter(5);
  line.beginFlight(now, 10_000).writtenBytes = 1_000;
  expect(line.arrivedBytes(now + 900)).toBe(1_000);
});

it('Line follows a line that slows down', () => {
  const { line, now } = lineAfter(20);
  for (let at = now; at < now + 40_000; at += 5_000) line.arrive(at + 5_000, line.beginFlight(at, 10_000));
  expect(line.rate(now + 40_000)).toBeCloseTo(2_000, 0);
});

it('Line restarts its estimate after the network was away', () => {
  const { line, now } = lineAfter(5);
  const flight = line.beginFlight(now, 10_000);
  line.forget(now + 4_000);
  expect(line.rate(now + 4_000)).toBeNull();
  line.arrive(now + 6_000, flight);
  expect(line.rate(now + 6_000)).toBeCloseTo(5_000, 5);
});

it('Line ignores parts that storage already had', () => {
  const { line, now } = lineAfter(5);
  line.dropFlight(now + 5, line.beginFlight(now, 80_000_000));
  expect(line.rate(now + 5)).toBeCloseTo(10_000, 5);
});

it('Line counts failed tries and the time until the next', () => {
  const { line, now } = lineAfter(5);
  line.fail(now + 1_000, line.beginFlight(now, 10_000));
  expect(line.rate(now + 5_000)).toBeCloseTo(5_000, 5);
  line.arrive(now + 6_000, line.beginFlight(now + 5_000, 10_000));
  expect(line.rate(now + 6_000)).toBeCloseTo(60_000 / 11, 5);
});

it('Line treats silence without requests as sleep', () => {
  const { line, now } = lineAfter(5);
  line.beginFlight(now, 10_000);
  expect(line.rate(now + 3_600_000)).toBeCloseTo(6_000, 0);
});

it('Line returns no rate for confirmations in no time', () => {
  const line = new Line(0);
  const [firstFlight, secondFlight] = [line.beginFlight(0, 1_000), line.beginFlight(0, 1_000)];
  secondFlight.writtenBytes = 1_000;
  line.arrive(0, firstFlight);
  expect(line.rate(0)).toBeNull();
  expect(line.arrivedBytes(0)).toBe(0);
});
