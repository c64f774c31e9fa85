import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { type Chance, chanceFrom } from '../chaos/random.ts';
import type { SoakArguments } from './arguments.ts';
import type { WriterDesk } from './desk.ts';
import { RemovableDrive } from './drive.ts';
import type { ExpectedSource } from './expected.ts';
import { arriveAtOnce, eachOnce, untilQuiet, write } from './pace.ts';
import { refusingOne, writeRefused } from './refused.ts';
import { foldersIn, rulesFor } from './rules.ts';
import { assetsOf, type Score, scoreOf } from './score.ts';
import { Supervisor, script } from './supervisor.ts';

interface ServiceScore extends Score {
  /** SIGKILLs, each followed by a start. */
  readonly kills: number;
}

/** Runs `tilelift watch` with the soak's writers, kills it repeatedly, and compares all assets. */
export async function soakService(
  options: SoakArguments,
  folder: string,
  say: (text: string) => void,
): Promise<ServiceScore> {
  say(`Seed ${options.seed}, ${options.minutes} minutes.`);
  const chance = chanceFrom(options.seed);
  const stick = join(folder, 'stick');
  const folders = foldersIn(stick);
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true });
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: 300 });
  const control = refusingOne(service.control);
  const token = join(folder, 'token');
  await writeFile(token, control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']), {
    mode: 0o600,
  });
  const file = join(folder, 'rules.json');
  const rules = rulesFor(folders).map(({ accountId: _, ...rule }) => rule);
  await writeFile(file, JSON.stringify({ schemaVersion: 1, rules }));
  const home = ['--home', join(folder, 'home')];
  const env = {
    ...process.env,
    TILELIFT_SERVICE_API: service.baseUrl,
    TILELIFT_SERVICE_SIGN_IN: service.authUrl,
    TILELIFT_POLL_MS: '500',
  };
  await promisify(execFile)(process.execPath, [script, 'sign-in', '--token-file', token, ...home], { env });
  const supervisor = new Supervisor(['watch', '--rules', file, '--take-existing', ...home], env);
  const expectedSources = new Map<string, ExpectedSource>();
  const complete = () => control.assets().filter(({ status }) => status === 'COMPLETE');
  const countOf = (name: string) => complete().filter((asset) => asset.name === name).length;
  const desk: WriterDesk = {
    drive: new RemovableDrive(stick),
    ...folders,
    expectedSources,
    bytes: chance.bytes(),
    settledSources: () =>
      [...expectedSources.values()].filter((source) => countOf(source.name) === source.versions.length),
  };
  try {
    await writeRefused(desk);
    await eachOnce('before', desk, chance.branch('before'));
    const deadline = performance.now() + options.minutes * 60_000;
    await Promise.all([
      write(desk, deadline, chance.branch('writers')),
      arriveAtOnce(options, desk),
      killUntil(supervisor, deadline, chance.branch('kills')),
    ]);
    say(`Killed ${supervisor.kills} times; what was written becomes assets.`);
    await untilQuiet(expectedSources, () => complete().length, [supervisor], say);
    // Waits for assets that shouldn't appear.
    await pause(20_000);
    const score = scoreOf(expectedSources.values(), await assetsOf(control), say);
    return { ...score, kills: supervisor.kills };
  } finally {
    await supervisor.stop();
    await service.stop();
  }
}

async function killUntil(supervisor: Supervisor, deadline: number, chance: Chance): Promise<void> {
  for (;;) {
    await pause(chance.between(3_000, 20_000));
    if (performance.now() > deadline) return;
    supervisor.checkAlive();
    supervisor.kill();
  }
}
