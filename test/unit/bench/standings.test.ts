import { describe, expect, it } from 'vitest';
import type { Contender } from '../../../tools/bench/contenders/contender.ts';
import type { RaceResult, RaceStanding } from '../../../tools/bench/race.ts';
import { raceText } from '../../../tools/bench/report.ts';
import { readSettings } from '../../../tools/bench/settings.ts';
import { type Comparison, compare } from '../../../tools/bench/standings.ts';
import { judge } from '../../../tools/bench/targets.ts';
import { toJson } from '../../../tools/bench/to-json.ts';
import type { Work } from '../../../tools/bench/work.ts';

const contender = (name: string, role: Contender['role'], sendsChecksum: boolean): Contender => ({
  ...{ name, role, sendsChecksum, summary: '' },
  command: () => ({ file: '', args: [], env: {} }),
});
const ourContender = contender('ours', 'ours', true);
const unchecked = contender('quick without', 'peer', false);
const checkedContender = contender('slow with', 'peer', true);
const slowest = contender('slowest with', 'peer', true);
const ceiling = contender('nothing but bytes', 'ceiling', false);
const work: Work = { id: 'large', path: '', shape: 'file', files: 1, bytes: 2 ** 30 };

const standingWith = (wallSeconds: number): RaceStanding => ({
  ...{ wallSeconds, wireSeconds: wallSeconds, clientCpuSecondsPerGiB: 1, sinkBusy: 0, runs: [] },
});

function raceOf(...finished: readonly (readonly [Contender, number])[]): [RaceResult, Comparison] {
  const standings = new Map(finished.map(([{ name }, seconds]) => [name, standingWith(seconds)]));
  const race = { standings, failedReasons: {} };
  return [
    race,
    compare(
      race,
      finished.map(([contender]) => contender),
    ),
  ];
}

const noRaces = { largeHttps: null, largeHttp: null, largeIgnored: null, smallHttps: null, smallHttp: null };
const noFindings = {
  ...{
    races: noRaces,
    memory: null,
    scan: null,
    loop: null,
    launch: null,
    size: null,
    service: null,
    lines: null,
    million: null,
    manners: null,
  },
};
const racesWith = (result: RaceResult, comparison: Comparison) => ({
  races: { ...noRaces, largeHttps: { result, comparison } },
});
const verdictOf = (...finding: Parameters<typeof racesWith>) =>
  judge({ ...noFindings, ...racesWith(...finding) })[0];

describe('standings', () => {
  const [race, comparison] = raceOf(
    [ourContender, 1],
    [unchecked, 2],
    [checkedContender, 3],
    [slowest, 4],
    [ceiling, 0.5],
  );

  it('standings distinguish the best peer with checksums from the best of all', () => {
    expect(comparison).toMatchObject({ bestPeer: 'quick without', bestCheckedPeer: 'slow with' });
  });

  it('standings compare with the best peer with checksums and mention the best of all', () => {
    const verdict = verdictOf(race, comparison);
    expect(verdict).toMatchObject({ value: 3, met: true });
    expect(verdict?.target).toBe('one large file over HTTPS, times the best peer with a checksum');
    expect(verdict?.note).toBe('slow with; on the wire alone 3.00; without a checksum quick without, 2.00');
  });

  it('standings mention a peer once that is both', () => {
    const [onlyRace, sameComparison] = raceOf([ourContender, 1], [unchecked, 4], [checkedContender, 3]);
    expect(sameComparison).toMatchObject({ bestPeer: 'slow with', bestCheckedPeer: 'slow with' });
    expect(verdictOf(onlyRace, sameComparison)?.note).toBe('slow with; on the wire alone 3.00');
    expect(raceText(work, onlyRace, sameComparison)).not.toContain('of all');
  });

  it('standings compare with nothing without checksums, but mention the best of all', () => {
    const [loneRace, loneComparison] = raceOf([ourContender, 1], [unchecked, 2]);
    expect(loneComparison.bestCheckedPeer).toBeNull();
    expect(verdictOf(loneRace, loneComparison)).toMatchObject({ value: null, met: null });
    expect(verdictOf(loneRace, loneComparison)?.note).toBe('without a checksum quick without, 2.00');
  });

  it('standings name both with their ratios in the table', () => {
    const text = raceText(work, race, comparison);
    expect(text).toContain('best peer that sends a checksum: slow with; ours is 3.00 × as fast');
    expect(text).toContain('best peer of all: quick without; ours is 2.00 × as fast');
  });

  it('standings name both in JSON, with who sends checksums', () => {
    const settings = readSettings([]);
    if (!settings) throw new Error('no settings');
    const json = toJson({
      ...noFindings,
      ...{
        machine: {},
        settings,
        contenders: [ourContender, unchecked, checkedContender],
        missing: {},
        targets: [],
      },
      ...racesWith(race, comparison),
    });
    expect(json).toMatchObject({
      races: { largeHttps: { bestPeer: 'quick without', bestCheckedPeer: 'slow with' } },
      sendsChecksum: { ours: true, 'quick without': false, 'slow with': true },
    });
  });
});
