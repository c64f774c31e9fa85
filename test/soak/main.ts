/**
 * `npm run soak`: writers fill watched folders in all the ways that programs have, while the watching process is killed, the drive unplugged and the network dropped. Afterwards
 * every asset is held against what was written. Exit code 1 when anything was doubled, missed, taken too early or left standing; 2 for bad arguments.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addStranger } from '../chaos/foreign.ts';
import { type Chance, chanceFrom } from '../chaos/random.ts';
import { runCommand } from '../chaos/run-command.ts';
import type { Control } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { readArguments, type SoakArguments, usage } from './arguments.ts';
import { disturbances, type Scene } from './disturbances.ts';
import { Drive } from './drive.ts';
import type { Expected } from './expected.ts';
import { measureIdle } from './idle.ts';
import { rulesFor } from './rules.ts';
import { type Score, scoreOf } from './score.ts';
import { Watcher } from './watcher.ts';
import { burst, type Desk, writers } from './writers.ts';

/** Writers at work side by side. */
const hands = 4;
/** When nothing has become complete for so long, nothing more is waited for. */
const patienceMs = 150_000;

process.exitCode = await runCommand({
  usage,
  read: readArguments,
  work: async (given, folder, say) => {
    if (given.idle) return { result: await measureIdle(given.minutes, folder, say), isGood: true };
    const score = await soak(given, folder, say);
    const isGood = score.doubles + score.missed + score.premature + score.stuck === 0;
    return { result: { ...score, seed: given.seed }, isGood };
  },
});

async function soak(given: SoakArguments, folder: string, say: (text: string) => void): Promise<Score> {
  say(`Seed ${given.seed}, ${given.minutes} minutes.`);
  const chance = chanceFrom(given.seed);
  const stick = join(folder, 'stick');
  const landings = join(stick, 'landings');
  const scans = join(stick, 'scans');
  for (const path of [landings, scans]) await mkdir(path, { recursive: true });
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: 300 });
  const { control } = service;
  const expected = new Map<string, Expected>();
  const complete = () => control.assets().filter(({ status }) => status === 'COMPLETE');
  const watcher = new Watcher(
    {
      folder: join(folder, 'tilelift'),
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      rules: rulesFor(landings, scans),
      takeExisting: true,
    },
    randomBytes(32).toString('hex'),
  );
  try {
    await watcher.watching();
    const drive = new Drive(stick);
    const desk: Desk = {
      drive,
      landings,
      scans,
      expected,
      bytes: chance.bytes(),
      settled: () =>
        [...expected.values()].filter((one) => countOf(complete(), one.name) === one.versions.length),
    };
    const until = performance.now() + given.minutes * 60_000;
    await Promise.all([
      write(desk, until, chance.branch('writers')),
      arriveAtOnce(given, desk),
      disturb({ control, drive, watcher }, until, chance.branch('disturbances'), say),
      letStrangersAnswer(control, until, chance.branch('foreign answers')),
    ]);
    control.clearFaults();
    say('Nothing goes wrong any more; what was written becomes assets.');
    await settleDown(expected, () => complete().length, watcher, say);
    return await scoreOf(expected, control, say);
  } finally {
    await watcher.stop();
    await service.stop();
  }
}

async function write(desk: Desk, until: number, chance: Chance): Promise<void> {
  let number = 0;
  const hand = async () => {
    while (performance.now() < until) {
      await chance.pickWeighted(writers)(`source-${++number}`, desk, chance);
      await pause(chance.between(200, 3_000));
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

async function arriveAtOnce({ minutes, burst: count }: SoakArguments, desk: Desk): Promise<void> {
  await pause(minutes * 60_000 * 0.2);
  await burst(count, desk);
}

async function disturb(
  scene: Scene,
  until: number,
  chance: Chance,
  say: (text: string) => void,
): Promise<void> {
  for (;;) {
    await pause(chance.between(5_000, 30_000));
    if (performance.now() > until) return;
    scene.watcher.checkAlive();
    say(`  ${await chance.pickWeighted(disturbances)(scene, chance)}`);
  }
}

/** All the time, here and there: something in between answers a request or two. */
async function letStrangersAnswer(control: Control, until: number, chance: Chance): Promise<void> {
  while (performance.now() < until) {
    const room = chance.pick(['api', 'storage'] as const);
    addStranger(control, { room, times: chance.between(1, 3) }, chance);
    await pause(chance.between(500, 3_000));
  }
}

async function settleDown(
  expected: ReadonlyMap<string, Expected>,
  completeCount: () => number,
  watcher: Watcher,
  say: (text: string) => void,
): Promise<void> {
  const wanted = [...expected.values()].reduce((sum, { versions }) => sum + versions.length, 0);
  let seen = -1;
  let since = performance.now();
  while (completeCount() < wanted && performance.now() - since < patienceMs) {
    await pause(1_000);
    watcher.checkAlive();
    if (completeCount() === seen) continue;
    seen = completeCount();
    since = performance.now();
    if (seen % 50 === 0) say(`  ${seen} of ${wanted} are complete`);
  }
  // What should not come has time to come.
  await pause(20_000);
}

function countOf(assets: readonly Readonly<Record<string, unknown>>[], name: string): number {
  return assets.filter((asset) => asset.name === name).length;
}
