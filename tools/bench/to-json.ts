import type { Contender } from './contenders/contender.ts';
import type { LaunchFigures } from './launch/measure-launch.ts';
import type { LineFinding } from './line/lines.ts';
import type { MannersFigures } from './manners/measure-manners.ts';
import type { LoopDelays, MemoryFigure } from './measure-ours.ts';
import type { MillionFigures } from './million/measure-million.ts';
import { roundValue } from './numbers.ts';
import type { PackageSize } from './package-size.ts';
import type { RaceResult } from './race.ts';
import type { ScanFigures } from './scan-race.ts';
import type { ServiceFigures } from './service/measure-service.ts';
import type { Settings } from './settings.ts';
import type { Comparison } from './standings.ts';
import type { Verdict } from './targets.ts';

interface RaceFindings {
  readonly result: RaceResult;
  readonly comparison: Comparison;
}

interface AllFindings {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly settings: Settings;
  readonly contenders: readonly Contender[];
  readonly missing: Readonly<Record<string, string>>;
  /** By name; null if skipped. */
  readonly races: Readonly<Record<string, RaceFindings | null>>;
  readonly memory: readonly MemoryFigure[] | null;
  readonly scan: ScanFigures | null;
  readonly loop: LoopDelays | null;
  readonly launch: LaunchFigures | null;
  readonly size: PackageSize | null;
  readonly service: ServiceFigures | null;
  readonly lines: readonly LineFinding[] | null;
  readonly million: MillionFigures | null;
  readonly manners: MannersFigures | null;
  readonly targets: readonly Verdict[];
}

/** All figures as a plain object, with three significant digits and whole byte counts. */
export function toJson(allFindings: AllFindings): unknown {
  const { folder: _folder, json: _json, ...settings } = allFindings.settings;
  const contenders = Object.fromEntries(allFindings.contenders.map(({ name, summary }) => [name, summary]));
  const sendsChecksum = Object.fromEntries(
    allFindings.contenders.map(({ name, sendsChecksum }) => [name, sendsChecksum]),
  );
  const races = Object.entries(allFindings.races).map(([name, raceFindings]) => [
    name,
    raceFindings && raceJson(raceFindings),
  ]);
  const lines = allFindings.lines?.map(({ name, title, lineShares, ...lineFindings }) => ({
    ...{ name, title, lineShares },
    ...raceJson(lineFindings),
  }));
  return roundedDeep({
    ...allFindings,
    settings,
    contenders,
    sendsChecksum,
    races: Object.fromEntries(races),
    lines: lines ?? null,
  });
}

function raceJson({ result, comparison }: RaceFindings): object {
  return { clients: Object.fromEntries(result.standings), failed: result.failedReasons, ...comparison };
}

function roundedDeep(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : roundValue(value);
  if (Array.isArray(value)) return value.map(roundedDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, innerValue]) => [key, roundedDeep(innerValue)]));
}
