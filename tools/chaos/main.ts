/**
 * `npm run chaos`: real uploads of mixed sources while the engine's process is killed and the service fails,
 * again and again; then every object is compared with its source. Exit code 1 when anything was lost, garbled
 * or doubled; 2 for bad arguments.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { type ChaosArguments, readArguments, usage } from './arguments.ts';
import { countForeign } from './foreign.ts';
import { planIncidents } from './incidents.ts';
import { type Chance, chanceFrom } from './random.ts';
import { countResent } from './resent.ts';
import { Round, type RoundOptions, type Run } from './round.ts';
import { runCommand } from './run-command.ts';
import { makeSources, type Source } from './sources.ts';
import { verifyRun } from './verify.ts';

/** The result, as the last line shows it. Sizes are bytes. */
interface Score {
  runs: number;
  kills: number;
  faults: number;
  /** Requests that something answered which is neither the service nor storage. */
  foreignAnswers: number;
  corrupt: number;
  lostFiles: number;
  duplicateAssets: number;
  resentBytes: number;
  /** What kills made necessary to send again, shared out among them. */
  resentBytesPerKill: number;
}

/** Incidents that one run is to bear. */
const maxPerRun = 5;
const partBytes = 8 * 2 ** 20;

process.exitCode = await runCommand({
  usage,
  read: readArguments,
  work: async (given, folder, say) => {
    const score = await chaos(given, folder, say);
    const isGood = score.corrupt + score.lostFiles + score.duplicateAssets === 0;
    return { result: { ...score, seed: given.seed }, isGood };
  },
});

async function chaos(given: ChaosArguments, folder: string, say: (text: string) => void): Promise<Score> {
  const chance = chanceFrom(given.seed);
  say(`Seed ${given.seed}. Making the sources …`);
  const sources = await makeSources(join(folder, 'sources'), chance.branch('sources'), given.measure);
  for (const { kind, files } of sources)
    say(`  ${kind}: ${files.length} files, ${mebibytes(sum(files))} MiB`);
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: 1500 });
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
  };
  const options: RoundOptions = {
    service,
    folder: join(folder, 'tilelift'),
    vaultKey: randomBytes(32).toString('hex'),
    say,
    strangers: chance.branch('foreign answers'),
  };
  let byKills = 0;
  try {
    for (let number = 1; score.kills + score.faults < given.kills; number++) {
      const left = given.kills - score.kills - score.faults;
      byKills += await round(
        number,
        planRuns(number, sources, left, chance.branch(`round ${number}`)),
        options,
        score,
      );
    }
  } finally {
    await service.stop();
  }
  score.resentBytesPerKill = score.kills === 0 ? 0 : Math.round(byKills / score.kills);
  say(summary(score));
  return score;
}

/** Each source once, in any order, with no more incidents than are left. */
function planRuns(round: number, sources: readonly Source[], left: number, chance: Chance): readonly Run[] {
  const most = Math.min(left, maxPerRun * sources.length);
  const shares = sources.map(() => 0);
  for (let spent = 0; spent < most; ) {
    const index = chance.between(0, shares.length - 1);
    if ((shares[index] ?? 0) >= maxPerRun) continue;
    shares[index] = (shares[index] ?? 0) + 1;
    spent += 1;
  }
  return sources.map((source, index) => ({
    name: `${source.kind} ${round}`,
    source,
    incidents: planIncidents(shares[index] ?? 0, chance),
  }));
}

/** Adds to the score; gives the bytes that kills made necessary to send again. */
async function round(
  number: number,
  runs: readonly Run[],
  options: RoundOptions,
  score: Score,
): Promise<number> {
  const { service, say } = options;
  const { control } = service;
  say(`Round ${number}`);
  const begun = performance.now();
  const seenBefore = control.requests().length;
  const { ended, kills, faults, blameless } = await new Round(runs, options).play();
  control.skewClock(0);
  const requests = control.requests().map((request, index) => (index < seenBefore ? null : request));
  const { bytes, byKill } = countResent(requests, kills, blameless);
  for (const { name, source } of runs) {
    const end = ended.get(name);
    if (!end) throw new Error(`nothing was heard of the end of ${name}`);
    const verdict = await verifyRun(name, source, end, control);
    score.corrupt += verdict.corrupt;
    score.lostFiles += verdict.lostFiles;
    score.duplicateAssets += verdict.duplicateAssets;
    for (const finding of verdict.findings) say(`  WRONG      ${finding}`);
    const orphans = verdict.declaredOrphans > 0 ? `, ${verdict.declaredOrphans} declared orphans` : '';
    if (verdict.findings.length === 0) say(`  equal      ${name}: ${source.files.length} files${orphans}`);
    await control.removeObjects(`sources/${end.assetId}/`);
  }
  score.runs += runs.length;
  score.kills += kills.length;
  score.faults += faults;
  score.foreignAnswers = countForeign(control);
  score.resentBytes += bytes;
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const over = byKill.filter((wasted, index) => wasted > (kills[index]?.lanes ?? 0) * partBytes).length;
  say(
    `  ${seconds} s, sent again ${mebibytes(bytes)} MiB; by one kill at most ${mebibytes(Math.max(0, ...byKill))} MiB` +
      `, parts in flight × part size ${over === 0 ? 'never passed' : `passed ${over} times`}`,
  );
  return byKill.reduce((all, wasted) => all + wasted, 0);
}

function summary(score: Score): string {
  return [
    `${score.runs} runs, ${score.kills} kills, ${score.faults} faults, ${score.foreignAnswers} foreign answers`,
    `corrupt ${score.corrupt}, lost files ${score.lostFiles}, duplicate assets ${score.duplicateAssets}`,
    `sent again ${mebibytes(score.resentBytes)} MiB, ${mebibytes(score.resentBytesPerKill)} MiB for each kill`,
  ].join('\n');
}

function sum(files: readonly { readonly size: number }[]): number {
  return files.reduce((all, { size }) => all + size, 0);
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
