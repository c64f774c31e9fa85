import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { countForeign } from './foreign.ts';
import { type FaultReach, planIncidents } from './incidents.ts';
import type { Chance } from './random.ts';
import { countResent } from './resent.ts';
import { ChaosRound, type RoundOptions, type Run } from './round.ts';
import type { Source } from './sources.ts';
import type { ChaosStore } from './stores/store.ts';
import { verifyRun } from './verify.ts';

/** Result, shown as the last line. Sizes are bytes. */
export interface Score {
  runs: number;
  kills: number;
  faults: number;
  /** Requests answered by neither the service nor storage. */
  foreignAnswers: number;
  corrupt: number;
  lostFiles: number;
  duplicateAssets: number;
  resentBytes: number;
  resentBytesPerKill: number;
  falseProofs: number;
  /** Parts and small files by recorded comparison. */
  comparedByCrc32: number;
  comparedByMd5: number;
}

/** Faults and sources of a run. */
export interface ChaosOptions {
  readonly kills: number;
  readonly chance: Chance;
  readonly sources: readonly Source[];
  readonly store: ChaosStore;
}

/** Nothing was lost, corrupted or duplicated, and all recorded comparisons are true. */
export function isClean({ corrupt, lostFiles, duplicateAssets, falseProofs }: Score): boolean {
  return corrupt + lostFiles + duplicateAssets + falseProofs === 0;
}

const maxPerRun = 5;
const partBytes = 8 * 2 ** 20;

/** Uploads the sources in rounds until all kills and faults are used. Writes only below `folder`. */
export async function chaos(
  given: ChaosOptions,
  folder: string,
  say: (text: string) => void,
): Promise<Score> {
  const { chance, sources, store } = given;
  const service = await startEmbeddedService({
    dataFolder: join(folder, 'storage'),
    tilingMs: 1500,
    ...store.settings,
  });
  store.begin(service);
  const score: Score = {
    runs: 0,
    kills: 0,
    faults: 0,
    foreignAnswers: 0,
    corrupt: 0,
    lostFiles: 0,
    duplicateAssets: 0,
    resentBytes: 0,
    resentBytesPerKill: 0,
    falseProofs: 0,
    comparedByCrc32: 0,
    comparedByMd5: 0,
  };
  const options: RoundOptions = {
    service,
    folder: join(folder, 'tilelift'),
    vaultKey: randomBytes(32).toString('hex'),
    say,
    strangers: store.faultReach === 'nothing' ? null : chance.branch('foreign answers'),
    store,
  };
  let byKills = 0;
  try {
    for (let number = 1; score.kills + score.faults < given.kills; number++) {
      const incidentsLeft = given.kills - score.kills - score.faults;
      byKills += await round(
        number,
        planRuns(number, sources, incidentsLeft, chance.branch(`round ${number}`), store.faultReach),
        options,
        score,
      );
    }
  } finally {
    await service.stop();
    store.close();
  }
  score.resentBytesPerKill = score.kills === 0 ? 0 : Math.round(byKills / score.kills);
  say(summary(score));
  return score;
}

/** Plans each source once, in random order, with at most the remaining incidents. */
function planRuns(
  round: number,
  sources: readonly Source[],
  incidentsLeft: number,
  chance: Chance,
  faultReach: FaultReach,
): readonly Run[] {
  const maxIncidents = Math.min(incidentsLeft, maxPerRun * sources.length);
  const shares = sources.map(() => 0);
  for (let spentIncidents = 0; spentIncidents < maxIncidents; ) {
    const index = chance.between(0, shares.length - 1);
    if ((shares[index] ?? 0) >= maxPerRun) continue;
    shares[index] = (shares[index] ?? 0) + 1;
    spentIncidents += 1;
  }
  return sources.map((source, index) => ({
    name: `${source.kind} ${round}`,
    source,
    incidents: planIncidents(shares[index] ?? 0, chance, faultReach),
  }));
}

/** Adds to the score and returns the bytes that kills caused to be sent again. */
async function round(
  number: number,
  runs: readonly Run[],
  options: RoundOptions,
  score: Score,
): Promise<number> {
  const { service, say, store } = options;
  const { control } = service;
  say(`Round ${number}`);
  const startedAt = performance.now();
  const seenBefore = control.requests().length;
  const { endedJobs, kills, faults, blameless } = await new ChaosRound(runs, options).play();
  control.skewClock(0);
  const requests = control.requests().map((request, index) => (index < seenBefore ? null : request));
  const { bytes, byKill } = countResent(requests, kills, blameless);
  for (const { name, source } of runs) {
    const end = endedJobs.get(name);
    if (!end) throw new Error(`nothing was heard of the end of ${name}`);
    const verdict = await verifyRun(name, source, end, control, store, join(options.folder, 'journal.db'));
    score.corrupt += verdict.corrupt;
    score.lostFiles += verdict.lostFiles;
    score.duplicateAssets += verdict.duplicateAssets;
    score.falseProofs += verdict.falseProofs;
    score.comparedByCrc32 += verdict.proofs.byCrc32;
    score.comparedByMd5 += verdict.proofs.byMd5;
    for (const finding of verdict.findings) say(`  WRONG      ${finding}`);
    const orphans = verdict.declaredOrphans > 0 ? `, ${verdict.declaredOrphans} declared orphans` : '';
    if (verdict.findings.length === 0) say(`  equal      ${name}: ${source.files.length} files${orphans}`);
    await store.remove(`sources/${end.assetId}/`);
  }
  score.runs += runs.length;
  score.kills += kills.length;
  score.faults += faults;
  score.foreignAnswers = countForeign(control);
  score.resentBytes += bytes;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const excessiveKills = byKill.filter(
    (wasted, index) => wasted > (kills[index]?.lanes ?? 0) * partBytes,
  ).length;
  say(
    `  ${seconds} s, sent again ${mebibytes(bytes)} MiB; by one kill at most ${mebibytes(Math.max(0, ...byKill))} MiB` +
      `, parts in flight × part size ${excessiveKills === 0 ? 'never passed' : `passed ${excessiveKills} times`}`,
  );
  return byKill.reduce((total, wasted) => total + wasted, 0);
}

function summary(score: Score): string {
  return [
    `${score.runs} runs, ${score.kills} kills, ${score.faults} faults, ${score.foreignAnswers} foreign answers`,
    `corrupt ${score.corrupt}, lost files ${score.lostFiles}, duplicate assets ${score.duplicateAssets}, false proofs ${score.falseProofs}`,
    `compared by CRC32 ${score.comparedByCrc32}, by MD5 ${score.comparedByMd5}`,
    `sent again ${mebibytes(score.resentBytes)} MiB, ${mebibytes(score.resentBytesPerKill)} MiB for each kill`,
  ].join('\n');
}

/** Total size, bytes. */
export function sum(files: readonly { readonly size: number }[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}

/** MiB with one decimal. */
export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
