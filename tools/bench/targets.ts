import type { LaunchFigures } from './launch/measure-launch.ts';
import type { LineFinding } from './line/lines.ts';
import type { MannersFigures } from './manners/measure-manners.ts';
import type { LoopDelays, MemoryFigure } from './measure-ours.ts';
import type { MillionFigures } from './million/measure-million.ts';
import type { PackageSize } from './package-size.ts';
import type { ScanFigures } from './scan-race.ts';
import type { ServiceFigures } from './service/measure-service.ts';
import type { Comparison, Ratios } from './standings.ts';
import { mebibyte } from './work.ts';

/** Results of a run; null for skipped chapters. */
interface Findings {
  readonly largeHttps: Comparison | null;
  readonly largeHttp: Comparison | null;
  /** Results with a store that ignores CRC32s. */
  readonly largeIgnored: Comparison | null;
  readonly smallHttps: Comparison | null;
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
export function judge(found: Findings): Verdict[] {
  const { largeHttps, largeHttp, largeIgnored, smallHttps } = found;
  return [
    bestPeer('one large file over HTTPS', 2.5, largeHttps),
    bestPeer('small files over HTTPS', 2.2, smallHttps),
    speed('one large file over HTTP, share of the bare ceiling', 0.6, largeHttp, largeHttp?.ceiling),
    speed('the same to a store that ignores CRC32s', 0.4, largeIgnored, largeIgnored?.ceiling),
    cpu('processor per GiB over HTTPS, share of aws-cli, large file', largeHttps),
    atMost('memory, growth from the smallest file to the largest, MB', 20, memoryGrowth(found.memory), ''),
    atMost('scan, times find', 1.5, found.scan?.ratio ?? null, 'ours without the start of Node'),
    atMost('event loop of the main thread, p99, ms, large file', 20, found.loop?.large.p99 ?? null, ''),
    atMost('event loop of the main thread, p99, ms, small files', 20, found.loop?.small.p99 ?? null, ''),
    atMost(
      'launch to a usable window, times a bare one',
      1.25,
      found.launch?.ratio ?? null,
      'bare Electron, same bundle',
    ),
    atMost('Linux package, MB', 130, found.size?.deb ? found.size.deb / 1e6 : null, 'the deb in dist/'),
    ...judgeService(found.service),
    ...judgeLines(found.lines ?? []),
    ...judgeMillion(found.million),
    ...judgeManners(found.manners),
  ];
}

function judgeService(service: ServiceFigures | null): Verdict[] {
  const { fresh, again } = service?.watching ?? {};
  const most = (of: 'residentMb' | 'cpuPercent') => (fresh && again ? Math.max(fresh[of], again[of]) : null);
  const bare = service ? `bare Node ${Math.round(service.firstRequestMs.bare)} ms` : '';
  const files = service ? `${service.watchedFiles} files; the most of two starts` : '';
  return [
    atMost('watch, start to first request, ms', 400, service?.firstRequestMs.watch ?? null, bare),
    atMost('watch at rest, resident MB', 150, most('residentMb'), files),
    atMost('watch at rest, % of a core', 0.5, most('cpuPercent'), files),
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
    const wanted = lineTargets[name];
    if (!wanted) return [];
    const share = lineShares.tilelift;
    return [
      ...(wanted.speed ? [bestPeer(wanted.target, wanted.speed, comparison)] : []),
      ...(wanted.share && share
        ? [
            {
              target: `${wanted.target}, share of the line`,
              wanted: `at least ${wanted.share}`,
              value: share.whole,
              met: share.whole >= wanted.share,
              note: `on the wire alone ${share.wire.toFixed(2)}`,
            },
          ]
        : []),
    ];
  });
}

/** Compares with the best peer that sends a checksum; a faster one without is only mentioned. */
function bestPeer(what: string, least: number, comparison: Comparison | null): Verdict {
  const checked = comparison?.bestCheckedPeer;
  const verdict = speed(`${what}, times the best peer with a checksum`, least, comparison, checked);
  const best = comparison?.bestPeer;
  const ratios = best === checked ? null : ratiosTo(comparison, best);
  if (!ratios) return verdict;
  const beside = `without a checksum ${best}, ${ratios.speed.toFixed(2)}`;
  return { ...verdict, note: verdict.note === '' ? beside : `${verdict.note}; ${beside}` };
}

function speed(
  target: string,
  least: number,
  comparison: Comparison | null,
  other: string | null | undefined,
): Verdict {
  const ratios = ratiosTo(comparison, other);
  const value = ratios?.speed ?? null;
  return {
    target,
    wanted: `at least ${least}`,
    value,
    met: value === null ? null : value >= least,
    note: ratios ? `${other}; on the wire alone ${ratios.wireSpeed.toFixed(2)}` : '',
  };
}

/** Compares with the cheapest of aws-cli's settings with a checksum. */
function cpu(target: string, comparison: Comparison | null): Verdict {
  const known = Object.entries(comparison?.ratios ?? {}).flatMap(([name, ratios]) =>
    name.startsWith('aws ') && !name.endsWith(' crt') && ratios.cpu !== null
      ? [{ name, share: ratios.cpu }]
      : [],
  );
  const [most] = known.toSorted((a, b) => b.share - a.share);
  return atMost(target, 0.35, most?.share ?? null, most?.name ?? '');
}

function atMost(target: string, most: number, value: number | null, note: string): Verdict {
  return { target, wanted: `under ${most}`, value, met: value === null ? null : value < most, note };
}

function ratiosTo(comparison: Comparison | null, other: string | null | undefined): Ratios | null {
  return (other && comparison?.ratios[other]) || null;
}

function memoryGrowth(figures: readonly MemoryFigure[] | null): number | null {
  const first = figures?.at(0);
  const last = figures?.at(-1);
  return first && last ? (last.peakBytes - first.peakBytes) / mebibyte : null;
}
