import { join } from 'node:path';
import type { Contender } from '../contenders/contender.ts';
import { makeLarge, makeSmall } from '../fixtures.ts';
import { type RaceResult, race } from '../race.ts';
import type { LineName, Settings } from '../settings.ts';
import type { Sink } from '../sink/launch.ts';
import { type Comparison, compare } from '../standings.ts';
import { kibibyte, mebibyte, type Work } from '../work.ts';
import { launchLine } from './launch.ts';
import type { LineShape } from './wire.ts';

const megabit = 125_000;
const longLine = { delayMs: 75, windowBytes: 1_000_000, stallEveryMs: null, resetEveryMs: null };

interface LineCase {
  readonly title: string;
  readonly shape: LineShape;
  readonly work: 'large' | 'small';
  readonly bytes?: number;
}

/** 150 ms round trip, 1 MB in flight per connection. */
const cases: Readonly<Record<LineName, LineCase>> = {
  office: { title: '200 Mbit/s', shape: { ...longLine, bytesPerSecond: 200 * megabit }, work: 'large' },
  fast: { title: '1 Gbit/s', shape: { ...longLine, bytesPerSecond: 1_000 * megabit }, work: 'large' },
  long: {
    title: '1 Gbit/s, four times as much',
    shape: { ...longLine, bytesPerSecond: 1_000 * megabit },
    work: 'large',
    bytes: 1024 * mebibyte,
  },
  small: { title: '200 Mbit/s', shape: { ...longLine, bytesPerSecond: 200 * megabit }, work: 'small' },
  village: {
    title: '1.2 MB/s',
    shape: { ...longLine, bytesPerSecond: 1_200_000 },
    work: 'large',
    bytes: 16 * mebibyte,
  },
  stalls: {
    title: '200 Mbit/s, a stall every 2 s',
    shape: { ...longLine, bytesPerSecond: 200 * megabit, stallEveryMs: 2_000 },
    work: 'large',
  },
  resets: {
    title: '200 Mbit/s, a reset every 3 s',
    shape: { ...longLine, bytesPerSecond: 200 * megabit, resetEveryMs: 3_000 },
    work: 'large',
  },
};

const [largeBytes, smallFiles, smallBytes] = [256 * mebibyte, 1_000, 64 * kibibyte];

/** Result of one line. */
export interface LineFinding {
  readonly name: LineName;
  readonly title: string;
  readonly work: Work;
  readonly result: RaceResult;
  readonly comparison: Comparison;
  readonly lineShares: Readonly<Record<string, LineShare>>;
}

interface LineShare {
  /** Time from start to end of the process. */
  readonly whole: number;
  /** Time from the first byte to the last answer. */
  readonly wire: number;
}

interface LineOptions {
  readonly settings: Settings;
  readonly folder: string;
  readonly sink: Sink;
  /** Without the bare client, because the line is the ceiling. */
  readonly contenders: readonly Contender[];
  readonly say: (line: string) => void;
  readonly onFinding: (finding: LineFinding) => void;
}

/** Races over the requested lines, one after the other, over HTTPS. */
export async function raceLines(options: LineOptions): Promise<readonly LineFinding[]> {
  const { settings, folder, sink, contenders, say, onFinding } = options;
  const findings: LineFinding[] = [];
  for (const name of settings.lines) {
    const { title, shape, work: kind, bytes = largeBytes } = cases[name];
    const path = join(folder, `line-${name}`);
    const work =
      kind === 'large' ? await makeLarge(path, bytes) : await makeSmall(path, smallFiles, smallBytes);
    say(`line ${name}: ${title}`);
    const line = await launchLine(sink, shape);
    try {
      const target = line.target('https');
      const result = await race(work, target, { contenders, sink: line, runs: settings.runs, say });
      const ideal = work.bytes / shape.bytesPerSecond;
      const lineShares = Object.fromEntries(
        [...result.standings].map(([client, { wallSeconds, wireSeconds }]) => [
          client,
          { whole: ideal / wallSeconds, wire: ideal / wireSeconds },
        ]),
      );
      const finding = { name, title, work, result, comparison: compare(result, contenders), lineShares };
      findings.push(finding);
      onFinding(finding);
    } finally {
      await line.stop();
    }
  }
  return findings;
}
