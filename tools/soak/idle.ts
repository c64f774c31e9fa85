import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { foldersIn, rulesFor } from './rules.ts';
import { Watcher } from './watcher.ts';

interface IdleCost {
  readonly rules: number;
  readonly files: number;
  readonly minutes: number;
  /** Share of one core, 0 to 1. */
  readonly cpuShare: number;
  /** Resident size at the beginning, in the middle and at the end, MB. */
  readonly memoryMb: readonly number[];
}

const ruleCount = 10;
const foldersPerRule = 10;
const filesPerFolder = 1_000;
/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** Watches 100,000 files with ten rules while nothing arrives; in every other rule, each file is a source. */
export async function measureIdle(
  minutes: number,
  folder: string,
  say: (text: string) => void,
): Promise<IdleCost> {
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage') });
  say(`Making ${ruleCount * foldersPerRule * filesPerFolder} files …`);
  const rules: WatchRule[] = [];
  for (let number = 0; number < ruleCount; number++) {
    const watched = join(folder, `watched-${number}`);
    await fillFolder(watched);
    const kind = number % 2 === 0 ? 'landings' : 'scans';
    for (const rule of rulesFor({ ...foldersIn(folder), [kind]: watched }, [kind]))
      rules.push({ ...rule, id: `rule-${number}`, name: `Rule ${number}` });
  }
  const input = {
    folder: join(folder, 'tilelift'),
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    rules,
    takeExisting: false,
  };
  const watcher = new Watcher(input, randomBytes(32).toString('hex'));
  try {
    await watcher.watching();
    say('All rules have looked through their folders; now nothing happens.');
    // Excludes the cleanup after the start.
    await pause(20_000);
    const pid = watcher.pid ?? 0;
    const secondsBefore = await processorSeconds(pid);
    const memoryMb = [await residentMb(pid)];
    for (let halfIndex = 0; halfIndex < 2; halfIndex++) {
      await pause(minutes * 30_000);
      memoryMb.push(await residentMb(pid));
    }
    watcher.checkAlive();
    const cpuShare = ((await processorSeconds(pid)) - secondsBefore) / (minutes * 60);
    return {
      rules: ruleCount,
      files: ruleCount * foldersPerRule * filesPerFolder,
      minutes,
      cpuShare,
      memoryMb,
    };
  } finally {
    await watcher.stop();
    await service.stop();
  }
}

async function fillFolder(watched: string): Promise<void> {
  for (let number = 0; number < foldersPerRule; number++) {
    const subfolder = join(watched, `block-${number}`);
    await mkdir(subfolder, { recursive: true });
    for (let file = 0; file < filesPerFolder; file++)
      await writeFile(join(subfolder, `tile-${file}.xyz`), `${file}`);
  }
}

/** User and system time of the process with all its threads. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
