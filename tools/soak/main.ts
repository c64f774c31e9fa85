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
import type { WriterDesk } from './desk.ts';
import { disturbances, type Scene } from './disturbances.ts';
import { RemovableDrive } from './drive.ts';
import type { ExpectedSource } from './expected.ts';
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

/** Over twice the settle time: later questions have other causes than the restore. */
const quietMs = 30_000;
const maxStrangers = 4;
process.exitCode = await runCommand({
  usage,
  read: readArguments,
  work: async (options, folder, say) => {
    const score = await (options.service ? soakService : soak)(options, folder, say);
    const isGood = isFlawless(score);
    return { result: { ...score, seed: options.seed }, isGood };
  },
});

async function soak(options: SoakArguments, folder: string, say: (text: string) => void): Promise<Result> {
  say(`Seed ${options.seed}, ${options.minutes} minutes.`);
  const chance = chanceFrom(options.seed);
  const stick = join(folder, 'stick');
  const folders = foldersIn(stick);
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true });
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: 300 });
  const control = refusingOne(service.control);
  const expectedSources = new Map<string, ExpectedSource>();
  const complete = () => control.assets().filter(({ status }) => status === 'COMPLETE');
  const isAsset = (source: ExpectedSource) => countOf(complete(), source.name) === source.versions.length;
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
        ...(options.keep && { logFolder: join(folder, 'logs', machine) }),
      },
      randomBytes(32).toString('hex'),
    );
  };
  const watcher = await start('tilelift', rulesFor(folders));
  const clone = await start('clone', rulesFor(folders, ['shared']));
  try {
    await Promise.all([watcher.watching(), clone.watching()]);
    const person = new Person(expectedSources, isAsset);
    for (const computer of [watcher, clone]) person.sitsAt(computer);
    const drive = new RemovableDrive(stick);
    const desk: WriterDesk = {
      drive,
      ...folders,
      expectedSources,
      bytes: chance.bytes(),
      settledSources: () => [...expectedSources.values()].filter(isAsset),
    };
    const settleDown = () => untilQuiet(expectedSources, () => complete().length, [watcher, clone], say);
    const backup = join(folder, 'backup');
    await writeRefused(desk);
    await eachOnce('before', desk, chance.branch('before'));
    await settleDown();
    await watcher.backUp(backup);
    say('The user’s data were backed up.');
    const deadline = performance.now() + options.minutes * 60_000;
    await Promise.all([
      write(desk, deadline, chance.branch('writers')),
      arriveAtOnce(options, desk),
      disturb({ control, drive, watcher, clone }, deadline, chance.branch('disturbances'), say),
      letStrangersAnswer(control, deadline, chance.branch('foreign answers')),
    ]);
    control.clearFaults();
    say('No more faults; the written data becomes assets.');
    await settleDown();
    const askedQuestions = person.askedCount;
    await watcher.putBack(backup);
    await quietOf(person, watcher);
    say(`The user’s data were put back: ${person.askedCount - askedQuestions} sources were asked about.`);
    await eachOnce('after', desk, chance.branch('after'));
    await settleDown();
    // Waits for assets that shouldn't appear.
    await pause(20_000);
    const score = scoreOf(expectedSources.values(), await assetsOf(control), say);
    return { ...score, asked: person.askedCount, foreignAnswers: countForeign(control) };
  } finally {
    await Promise.all([watcher.stop(), clone.stop()]);
    await service.stop();
  }
}

async function quietOf(person: Person, watcher: Watcher): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - Math.max(startedAt, person.askedAt) < quietMs) {
    await pause(1_000);
    watcher.checkAlive();
  }
}

async function disturb(
  scene: Scene,
  deadline: number,
  chance: Chance,
  say: (text: string) => void,
): Promise<void> {
  for (;;) {
    await pause(chance.between(5_000, 30_000));
    if (performance.now() > deadline) return;
    scene.watcher.checkAlive();
    say(`  ${await chance.pickWeighted(disturbances)(scene, chance)}`);
  }
}

/** Adds foreign responses all the time, but few enough that a retrying job reaches the service. */
async function letStrangersAnswer(control: Control, deadline: number, chance: Chance): Promise<void> {
  let added = 0;
  while (performance.now() < deadline) {
    await pause(chance.between(500, 3_000));
    // Disturbances may have removed some, so more are added after a while.
    const foreignCount = countForeign(control);
    if (added - foreignCount >= maxStrangers) {
      if (chance.next() < 0.95) continue;
      added = foreignCount;
    }
    const faultRoom = chance.pick(['api', 'storage'] as const);
    const times = chance.between(1, 3);
    addStranger(control, { room: faultRoom, times }, chance);
    added = Math.max(added, foreignCount) + times;
  }
}

function countOf(assets: readonly Readonly<Record<string, unknown>>[], name: string): number {
  return assets.filter((asset) => asset.name === name).length;
}
