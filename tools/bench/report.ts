import type { Contender } from './contenders/contender.ts';
import type { LaunchFigures } from './launch/measure-launch.ts';
import type { LineFinding } from './line/lines.ts';
import type { MannersFigures } from './manners/measure-manners.ts';
import type { LoopDelay, LoopDelays, MemoryFigure } from './measure-ours.ts';
import type { MillionFigures } from './million/measure-million.ts';
import { median } from './numbers.ts';
import type { PackageSize } from './package-size.ts';
import type { RaceResult } from './race.ts';
import type { ScanFigures } from './scan-race.ts';
import type { ServiceFigures } from './service/measure-service.ts';
import type { RestingFigures } from './service/resting.ts';
import type { Comparison } from './standings.ts';
import type { Verdict } from './targets.ts';
import { gibibyte, mebibyte, type Work } from './work.ts';

/** Above this share, the stand-in's thread limits the race. */
const busyLimit = 0.9;

/** Report of one race. */
export function raceText(work: Work, race: RaceResult, comparison: Comparison): string {
  const { ratios } = comparison;
  const head = [
    'client',
    'seconds',
    'on the wire',
    work.files === 1 ? 'MiB/s' : 'files/s',
    'CPU s/GiB',
    'ours is × as fast',
    'on the wire',
    'our CPU ÷ theirs',
    'stand-in busy',
  ];
  const rows = [...race.standings].map(([name, raceStanding]) => {
    const amount = work.files === 1 ? work.bytes / mebibyte : work.files;
    const busy = `${Math.round(raceStanding.sinkBusy * 100)} %${raceStanding.sinkBusy > busyLimit ? ' (limit)' : ''}`;
    return [
      name,
      cell(raceStanding.wallSeconds),
      cell(raceStanding.wireSeconds),
      cell(amount / raceStanding.wallSeconds, 0),
      cell(raceStanding.clientCpuSecondsPerGiB),
      cell(ratios[name]?.speed),
      cell(ratios[name]?.wireSpeed),
      cell(ratios[name]?.cpu),
      busy,
    ];
  });
  const outLines = Object.entries(race.failedReasons).map(([name, reason]) => `${name} is out: ${reason}`);
  return [table(head, rows), ...bestText(comparison), ...outLines].join('\n');
}

/** Names the best peer, and the best one with a checksum if that differs. */
function bestText({ bestPeer, bestCheckedPeer, ratios }: Comparison): string[] {
  const line = (which: string, name: string | null) =>
    name === null ? [] : [`best peer ${which}: ${name}; ours is ${cell(ratios[name]?.speed)} × as fast`];
  return [
    ...line('that sends a checksum', bestCheckedPeer),
    ...(bestPeer === bestCheckedPeer ? [] : line('of all', bestPeer)),
  ];
}

/** Report of one race over a line. */
export function lineText({ work, result, comparison, lineShares }: LineFinding): string {
  const rows = [...result.standings].map(([name, { wallSeconds, clientCpuSecondsPerGiB }]) => [
    name,
    cell(wallSeconds),
    cell((work.files === 1 ? work.bytes / mebibyte : work.files) / wallSeconds, work.files === 1 ? 1 : 0),
    cell(lineShares[name]?.whole),
    cell(lineShares[name]?.wire),
    cell(clientCpuSecondsPerGiB),
    cell(comparison.ratios[name]?.speed),
  ]);
  const unit = work.files === 1 ? 'MiB/s' : 'files/s';
  const head = [
    'client',
    'seconds',
    unit,
    'share of the line',
    'on the wire',
    'CPU s/GiB',
    'ours is × as fast',
  ];
  const outLines = Object.entries(result.failedReasons).map(([name, reason]) => `${name} is out: ${reason}`);
  return [table(head, rows), ...bestText(comparison), ...outLines].join('\n');
}

export function contendersText(
  contenders: readonly Contender[],
  missingReasons: Readonly<Record<string, string>>,
): string {
  return [
    ...contenders.map(({ name, summary }) => `  ${name}: ${summary}`),
    ...Object.entries(missingReasons).map(([name, reason]) => `  without ${name}: ${reason}`),
  ].join('\n');
}

export function memoryText(figures: readonly MemoryFigure[]): string {
  return table(
    ['file, GiB', 'peak memory, MB', 'runs, MB'],
    figures.map(({ fileBytes, peakBytes, runs }) => [
      cell(fileBytes / gibibyte),
      cell(peakBytes / mebibyte, 0),
      runs.map((run) => cell(run / mebibyte, 0)).join(' '),
    ]),
  );
}

export function scanText({ oursSeconds, oursWallSeconds, findSeconds, ratio }: ScanFigures): string {
  return table(
    ['walk', 'seconds', 'ours ÷ find'],
    [
      ['tilelift', cell(oursSeconds, 3), cell(ratio)],
      ['tilelift with the start of Node', cell(oursWallSeconds, 3), ''],
      ['find -printf', cell(findSeconds, 3), ''],
    ],
  );
}

export function launchText(figures: LaunchFigures | string): string {
  if (typeof figures === 'string') return `  not measured: ${figures}`;
  const runs = (times: readonly number[]) => times.map((ms) => cell(ms, 0)).join(' ');
  return table(
    ['to the first usable screen', 'ms', 'ours ÷ bare', 'launches, ms'],
    [
      ['tilelift', cell(figures.oursMs, 0), cell(figures.ratio), runs(figures.rounds.ours)],
      ['bare Electron window', cell(figures.bareMs, 0), '', runs(figures.rounds.bare)],
    ],
  );
}

export function mannersText(figures: MannersFigures | string): string {
  if (typeof figures === 'string') return `  not measured: ${figures}`;
  const { enginePercent, corePercent, messagesPerSecond, memoryBytes, memoryRatio } = figures;
  return table(
    ['at 20 Mbit/s', ''],
    [
      ['engine alone, % of a core', cell(enginePercent, 1)],
      ['app in sight, % of a core', cell(corePercent.seen, 1)],
      ['app in the tray, % of a core', cell(corePercent.tray, 1)],
      ['messages a second to the hidden page', cell(messagesPerSecond, 1)],
      ['app at rest in the tray, MB', cell(memoryBytes.tray / 1e6, 0)],
      ['bare Electron window, MB', cell(memoryBytes.bare / 1e6, 0)],
      ['app ÷ bare window', cell(memoryRatio)],
    ],
  );
}

export function loopText({ large: largeFiles, small: smallFiles }: LoopDelays): string {
  const row = (name: string, { p50, p99, max }: LoopDelay) => [name, cell(p50), cell(p99), cell(max)];
  return table(
    ['event-loop delay, ms', 'p50', 'p99', 'max'],
    [row('large file', largeFiles), row('small files', smallFiles)],
  );
}

export function sizeText({ deb, unpacked, archive }: PackageSize): string {
  const row = (name: string, bytes: number | null) => [name, cell(bytes === null ? null : bytes / 1e6, 1)];
  return table(['packed', 'MB'], [row('deb', deb), row('unpacked', unpacked), row('of that ours', archive)]);
}

export function millionText(figures: MillionFigures): string {
  return table(
    ['many files', ''],
    [
      ['plan in the journal, s', cell(figures.plannedSeconds, 1)],
      ['whole, s', cell(figures.seconds, 1)],
      ['of it in the journal, s', cell(figures.journalSeconds, 1)],
      ['journal, bytes a file without its name', cell(figures.journalBytesPerFile, 1)],
      ['peak memory, MB', cell(figures.peakBytes / 1e6, 0)],
      ['the same after a kill, MB', cell(figures.peakBytesAgain / 1e6, 0)],
      ['first file after a kill in the middle, s', cell(figures.resumeSeconds, 2)],
      ['files sent twice', cell(figures.sentTwice, 0)],
    ],
  );
}

export function serviceText({ rounds, ratio, watching, bareMb }: ServiceFigures): string {
  const start = (name: string, times: readonly number[]) => [
    name,
    cell(median(times), 0),
    times.map((ms) => cell(ms, 0)).join(' '),
  ];
  const restingRow = (name: string, { residentMb, peakMb, cpuPercent }: RestingFigures) => [
    name,
    cell(residentMb, 0),
    cell(peakMb, 0),
    cell(cpuPercent),
  ];
  return [
    table(
      ['to the first request', 'ms', 'starts, ms'],
      [
        start('tilelift assets list', rounds.assets),
        start('tilelift watch', rounds.watch),
        start('bare Node', rounds.bare),
      ],
    ),
    `watch takes ${cell(ratio)} times what bare Node takes`,
    table(
      ['at rest', 'resident MB', 'most MB', '% of a core'],
      [restingRow('new rules', watching.fresh), restingRow('started again', watching.again)],
    ),
    `bare Node has ${bareMb} MB`,
  ].join('\n');
}

export function verdictsText(verdicts: readonly Verdict[]): string {
  return table(
    ['target', 'wanted', 'measured', '', ''],
    verdicts.map(({ target, wanted: wantedText, value, met: isMet, note }) => [
      target,
      wantedText,
      cell(value),
      isMet === null ? 'not measured' : isMet ? 'met' : 'not met',
      note,
    ]),
  );
}

/** A number with an optional unit, a dash, or empty. */
const figure = /^(|–|-?[\d.]+( .*)?)$/;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const allRows = [head, ...rows];
  const figures = head.map((_, column) => rows.every((row) => figure.test(row[column] ?? '')));
  const widths = head.map((_, column) => Math.max(...allRows.map((row) => row[column]?.length ?? 0)));
  return allRows
    .map((row) =>
      widths
        .map((width, column) => {
          const text = row[column] ?? '';
          return figures[column] ? text.padStart(width) : text.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Fixed digits, or a dash for a missing number. */
function cell(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
}
