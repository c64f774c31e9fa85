/**
 * `npm run soak`: writers fill watched folders like real programs while the watching process is killed, the
 * drive unplugged, the network dropped and a rule edited. Finally the user data are restored from a backup of
 * the beginning and every asset is compared with the written files. Exit code 1 for duplicate, missed,
 * premature or stuck assets; 2 for bad arguments.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { settingsInFile } from '../../main/settings-file.ts';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import type { Control } from '../../test/service/model.ts';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { addStranger, countForeign } from '../chaos/foreign.ts';
import { type Chance, chanceFrom } from '../chaos/random.ts';
import { runCommand } from '../chaos/run-command.ts';
import { readArguments, type SoakArguments, usage } from './arguments.ts';
import type { Desk } from './desk.ts';
import { disturbances, type Scene } from './disturbances.ts';
import { Drive } from './drive.ts';
import type { Expected } from './expected.ts';
import { measureIdle } from './idle.ts';
import { arriveAtOnce, eachOnce, untilQuiet, write } from './pace.ts';
import { Person } from './person.ts';
import { refusingOne, writeRefused } from './refused.ts';
import { foldersIn, rulesFor } from './rules.ts';
import { assetsOf, isFlawless, type Score, scoreOf } from './score.ts';
import { soakService } from './service.ts';
import { Watcher } from './watcher.ts';

interface Result extends Score {
  /** Sources that Tilelift asked the user about. */
  readonly asked: number;
  /** Requests answered by neither the service nor storage. */
  readonly foreignAnswers: number;
}

/** No more questions are expected after this pause since the restore: over twice the settle time. */
const quietMs = 30_000;
const maxStrangers = 4;
process.exitCode = await runCommand({
  usage,
  read: readArguments,
  work: async (given, folder, say) => {
    if (given.idle) return { result: await measureIdle(given.minutes, folder, say), isGood: true };
    const score = await (given.service ? soakService : soak)(given, folder, say);
    const isGood = isFlawless(score);
    return { result: { ...score, seed: given.seed }, isGood };
  },
});

async function soak(given: SoakArguments, folder: string, say: (text: string) => void): Promise<Result> {
  say(`Seed ${given.seed}, ${given.minutes} minutes.`);
  const chance = chanceFrom(given.seed);
  const stick = join(folder, 'stick');
  const folders = foldersIn(stick);
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true });
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: 300 });
  const control = refusingOne(service.control);
  const expected = new Map<string, Expected>();
  const complete = () => control.assets().filter(({ status }) => status === 'COMPLETE');
  const isAsset = (one: Expected) => countOf(complete(), one.name) === one.versions.length;
  const start = async (machine: string, rules: readonly WatchRule[]) => {
    const home = join(folder, machine);
    // Both computers were installed from one disk image.
    settingsInFile(home).update({ instanceId: 'from one image' });
    const { baseUrl, authUrl } = service;
    return new Watcher(
      {
        folder: home,
        machine,
        baseUrl,
        authUrl,
        rules: [...rules],
        takeExisting: true,
        ...(given.keep && { logFolder: join(folder, 'logs', machine) }),
      },
      randomBytes(32).toString('hex'),
    );
  };
  const watcher = await start('tilelift', rulesFor(folders));
  const clone = await start('clone', rulesFor(folders, ['shared']));
  try {
    await Promise.all([watcher.watching(), clone.watching()]);
    const person = new Person(expected, isAsset);
    for (const one of [watcher, clone]) person.sitsAt(one);
    const drive = new Drive(stick);
    const desk: Desk = {
      drive,
      ...folders,
      expected,
      bytes: chance.bytes(),
      settled: () => [...expected.values()].filter(isAsset),
    };
    const settleDown = () => untilQuiet(expected, () => complete().length, [watcher, clone], say);
    const backup = join(folder, 'backup');
    await writeRefused(desk);
    await eachOnce('before', desk, chance.branch('before'));
    await settleDown();
    await watcher.backUp(backup);
    say('The user’s data were backed up.');
    const until = performance.now() + given.minutes * 60_000;
    await Promise.all([
      write(desk, until, chance.branch('writers')),
      arriveAtOnce(given, desk),
      disturb({ control, drive, watcher, clone }, until, chance.branch('disturbances'), say),
      letStrangersAnswer(control, until, chance.branch('foreign answers')),
    ]);
    control.clearFaults();
    say('No more faults; the written data becomes assets.');
    await settleDown();
    const asked = person.asked;
    await watcher.putBack(backup);
    await quietOf(person, watcher);
    say(`The user’s data were put back: ${person.asked - asked} sources were asked about.`);
    await eachOnce('after', desk, chance.branch('after'));
    await settleDown();
    // Waits for assets that shouldn't appear.
    await pause(20_000);
    const score = scoreOf(expected.values(), await assetsOf(control), say);
    return { ...score, asked: person.asked, foreignAnswers: countForeign(control) };
  } finally {
    await Promise.all([watcher.stop(), clone.stop()]);
    await service.stop();
  }
}

async function quietOf(person: Person, watcher: Watcher): Promise<void> {
  const began = performance.now();
  while (performance.now() - Math.max(began, person.askedAt) < quietMs) {
    await pause(1_000);
    watcher.checkAlive();
  }
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

/** Adds foreign responses all the time, but few enough that a retrying job reaches the service. */
async function letStrangersAnswer(control: Control, until: number, chance: Chance): Promise<void> {
  let added = 0;
  while (performance.now() < until) {
    await pause(chance.between(500, 3_000));
    // Disturbances may have removed some, so more are added after a while.
    const met = countForeign(control);
    if (added - met >= maxStrangers) {
      if (chance.next() < 0.95) continue;
      added = met;
    }
    const room = chance.pick(['api', 'storage'] as const);
    const times = chance.between(1, 3);
    addStranger(control, { room, times }, chance);
    added = Math.max(added, met) + times;
  }
}

function countOf(assets: readonly Readonly<Record<string, unknown>>[], name: string): number {
  return assets.filter((asset) => asset.name === name).length;
}
