import type { LaunchFigures } from './launch/measure-launch.ts';
import type { LineFinding } from './line/lines.ts';
import type { MannersFigures } from './manners/measure-manners.ts';
import type { LoopDelays, MemoryFigure } from './measure-ours.ts';
import type { MillionFigures } from './million/measure-million.ts';
import type { PackageSize } from './package-size.ts';
import type { RaceResult } from './race.ts';
import type { ScanFigures } from './scan-race.ts';
import type { ServiceFigures } from './service/measure-service.ts';
import type { Comparison, Ratios } from './standings.ts';
import { mebibyte } from './work.ts';

export interface RaceFindings {
  readonly result: RaceResult;
  readonly comparison: Comparison;
}

/** Results of a run; null for skipped chapters. */
export interface Findings {
  /** `largeIgnored`: with a store that ignores CRC32s. */
  readonly races: Readonly<
    Record<'largeHttps' | 'largeHttp' | 'largeIgnored' | 'smallHttps' | 'smallHttp', RaceFindings | null>
  >;
  readonly memory: readonly MemoryFigure[] | null;
  readonly scan: ScanFigures | null;
  readonly loop: LoopDelays | null;
  readonly launch: LaunchFigures | null;
  readonly size: PackageSize | null;
  readonly service: ServiceFigures | null;
  readonly lines: readonly LineFinding[] | null;
  readonly million: MillionFigures | null;
  readonly manners: MannersFigures | null;
}

interface LineTarget {
  readonly target: string;
  readonly speed?: number;
  readonly share?: number;
}

const lineTargets: Readonly<Partial<Record<LineFinding['name'], LineTarget>>> = {
  office: { target: 'large, 200 Mbit/s, 150 ms', share: 0.95 },
  fast: { target: 'large, 1 Gbit/s, 150 ms', speed: 1.2, share: 0.8 },
  long: { target: 'larger, 1 Gbit/s, 150 ms', share: 0.8 },
  small: { target: 'small, 200 Mbit/s, 150 ms', speed: 2 },
};

export interface Verdict {
  readonly target: string;
  readonly wanted: string;
  readonly value: number | null;
  readonly met: boolean | null;
  readonly note: string;
}

/** Compares the findings with the engine's targets. Times are of whole processes. */
export function judge(findings: Findings): Verdict[] {
  const comparisonOf = (name: keyof Findings['races']) => findings.races[name]?.comparison ?? null;
  const largeHttps = comparisonOf('largeHttps');
  const largeHttp = comparisonOf('largeHttp');
  const largeIgnored = comparisonOf('largeIgnored');
  return [
    bestPeer('one large file over HTTPS', 2.5, largeHttps),
    bestPeer('small files over HTTPS', 2.2, comparisonOf('smallHttps')),
    speed('one large file over HTTP, share of the bare ceiling', 0.6, largeHttp, largeHttp?.ceiling),
    speed('the same to a store that ignores CRC32s', 0.4, largeIgnored, largeIgnored?.ceiling),
    cpu('processor per GiB over HTTPS, share of aws-cli, large file', largeHttps),
    atMost('memory, growth from the smallest file to the largest, MB', 20, memoryGrowth(findings.memory), ''),
    atMost('scan, times find', 1.5, findings.scan?.ratio ?? null, 'ours without the start of Node'),
    atMost('event loop of the main thread, p99, ms, large file', 20, findings.loop?.large.p99 ?? null, ''),
    atMost('event loop of the main thread, p99, ms, small files', 20, findings.loop?.small.p99 ?? null, ''),
    atMost(
      'launch to a usable window, times a bare one',
      1.25,
      findings.launch?.ratio ?? null,
      'bare Electron, same bundle',
    ),
    atMost('Linux package, MB', 130, findings.size?.deb ? findings.size.deb / 1e6 : null, 'the deb in dist/'),
    ...judgeService(findings.service),
    ...judgeLines(findings.lines ?? []),
    ...judgeMillion(findings.million),
    ...judgeManners(findings.manners),
  ];
}

function judgeService(service: ServiceFigures | null): Verdict[] {
  const { fresh: freshFigures, again: repeatedFigures } = service?.watching ?? {};
  const maximumOf = (figure: 'residentMb' | 'cpuPercent') =>
    freshFigures && repeatedFigures ? Math.max(freshFigures[figure], repeatedFigures[figure]) : null;
  const bare = service ? `bare Node ${Math.round(service.firstRequestMs.bare)} ms` : '';
  const files = service ? `${service.watchedFiles} files; the most of two starts` : '';
  return [
    atMost('watch, start to first request, ms', 400, service?.firstRequestMs.watch ?? null, bare),
    atMost('watch at rest, resident MB', 150, maximumOf('residentMb'), files),
    atMost('watch at rest, % of a core', 0.5, maximumOf('cpuPercent'), files),
  ];
}

/** The chapter only runs on demand. */
function judgeMillion(million: MillionFigures | null): Verdict[] {
  if (!million) return [];
  const { files, peakBytes, peakBytesAgain, journalBytesPerFile, resumeSeconds } = million;
  const peak = Math.max(peakBytes, peakBytesAgain) / 1e6;
  return [
    atMost('many files, peak memory, MB', 350, peak, `${files} files; the most of two runs`),
    atMost('many files, journal, bytes a file', 120, journalBytesPerFile, 'without its name'),
    atMost('many files, first file after a kill, s', 5, resumeSeconds, 'the start of Node included'),
  ];
}

/** The chapter only runs on demand. */
function judgeManners(manners: MannersFigures | null): Verdict[] {
  if (!manners) return [];
  const { enginePercent, corePercent, messagesPerSecond, memoryRatio } = manners;
  const rate = 'at 20 Mbit/s';
  return [
    atMost('engine under a limit, % of a core', 3, enginePercent, rate),
    atMost('app under a limit, in the tray, % of a core', 3, corePercent.tray, rate),
    atMost('messages a second to a hidden page', 1, messagesPerSecond, rate),
    atMost('memory at rest in the tray, times a bare window', 1.4, memoryRatio, 'all processes'),
  ];
}

/** Judges only the measured lines, because the chapter runs on demand. */
function judgeLines(lines: readonly LineFinding[]): Verdict[] {
  return lines.flatMap(({ name, comparison, lineShares }) => {
    const lineTarget = lineTargets[name];
    if (!lineTarget) return [];
    const lineShare = lineShares.tilelift;
    return [
      ...(lineTarget.speed ? [bestPeer(lineTarget.target, lineTarget.speed, comparison)] : []),
      ...(lineTarget.share && lineShare
        ? [
            {
              target: `${lineTarget.target}, share of the line`,
              wanted: `at least ${lineTarget.share}`,
              value: lineShare.whole,
              met: lineShare.whole >= lineTarget.share,
              note: `on the wire alone ${lineShare.wire.toFixed(2)}`,
            },
          ]
        : []),
    ];
  });
}

/** Compares with the best peer that sends a checksum; a faster one without is only mentioned. */
function bestPeer(subject: string, minimum: number, comparison: Comparison | null): Verdict {
  const checkedPeer = comparison?.bestCheckedPeer;
  const verdict = speed(`${subject}, times the best peer with a checksum`, minimum, comparison, checkedPeer);
  const uncheckedPeer = comparison?.bestPeer;
  const ratios = uncheckedPeer === checkedPeer ? null : ratiosTo(comparison, uncheckedPeer);
  if (!ratios) return verdict;
  const comparisonText = `without a checksum ${uncheckedPeer}, ${ratios.speed.toFixed(2)}`;
  return { ...verdict, note: verdict.note === '' ? comparisonText : `${verdict.note}; ${comparisonText}` };
}

function speed(
  target: string,
  minimum: number,
  comparison: Comparison | null,
  otherName: string | null | undefined,
): Verdict {
  const ratios = ratiosTo(comparison, otherName);
  const value = ratios?.speed ?? null;
  return {
    target,
    wanted: `at least ${minimum}`,
    value,
    met: value === null ? null : value >= minimum,
    note: ratios ? `${otherName}; on the wire alone ${ratios.wireSpeed.toFixed(2)}` : '',
  };
}

/** Compares with the cheapest of aws-cli's settings with a checksum. */
function cpu(target: string, comparison: Comparison | null): Verdict {
  const knownShares = Object.entries(comparison?.ratios ?? {}).flatMap(([name, ratios]) =>
    name.startsWith('aws ') && !name.endsWith(' crt') && ratios.cpu !== null
      ? [{ name, share: ratios.cpu }]
      : [],
  );
  const [largestShare] = knownShares.toSorted((a, b) => b.share - a.share);
  return atMost(target, 0.35, largestShare?.share ?? null, largestShare?.name ?? '');
}

function atMost(target: string, maximum: number, value: number | null, note: string): Verdict {
  return { target, wanted: `under ${maximum}`, value, met: value === null ? null : value < maximum, note };
}

function ratiosTo(comparison: Comparison | null, otherName: string | null | undefined): Ratios | null {
  return (otherName && comparison?.ratios[otherName]) || null;
}

function memoryGrowth(figures: readonly MemoryFigure[] | null): number | null {
  const firstFigure = figures?.at(0);
  const lastFigure = figures?.at(-1);
  return firstFigure && lastFigure ? (lastFigure.peakBytes - firstFigure.peakBytes) / mebibyte : null;
}
