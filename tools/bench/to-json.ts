import type { Contender } from './contenders/contender.ts';
import { roundValue } from './numbers.ts';
import type { Settings } from './settings.ts';
import type { Findings, RaceFindings, Verdict } from './targets.ts';

interface AllFindings extends Findings {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly settings: Settings;
  readonly contenders: readonly Contender[];
  readonly missing: Readonly<Record<string, string>>;
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
