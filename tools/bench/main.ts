/**
 * `npm run bench`: compares our engine with other clients in one run. See docs/performance.md, "How it is
 * measured".
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { arch, cpus, platform, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { gatherContenders } from './contenders/all.ts';
import { bundleClients } from './contenders/bundled-clients.ts';
import type { Contender } from './contenders/contender.ts';
import { standardHosts } from './door.ts';
import { makeLarge, makeSmall, makeTree } from './fixtures.ts';
import { measureLaunch } from './launch/measure-launch.ts';
import { raceLines } from './line/lines.ts';
import { measureManners } from './manners/measure-manners.ts';
import { measureLoopDelay, measureMemory } from './measure-ours.ts';
import { measureMillion } from './million/measure-million.ts';
import { measurePackage } from './package-size.ts';
import { race } from './race.ts';
import {
  contendersText,
  launchText,
  lineText,
  loopText,
  mannersText,
  memoryText,
  millionText,
  raceText,
  scanText,
  serviceText,
  sizeText,
  verdictsText,
} from './report.ts';
import { raceScan } from './scan-race.ts';
import { measureService } from './service/measure-service.ts';
import { type Chapter, readSettings, type Settings, usage } from './settings.ts';
import { launchSink, type Sink } from './sink/launch.ts';
import { compare } from './standings.ts';
import { judge } from './targets.ts';
import { toJson } from './to-json.ts';
import type { Protocol, Work } from './work.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
const say = (line: string) => process.stderr.write(`  ${line}\n`);

interface RaceVariant {
  readonly to?: Sink;
  readonly among?: readonly Contender[];
  readonly where?: string;
}

/** @param ignoring a stand-in that ignores CRC32s */
async function run(settings: Settings, folder: string, sink: Sink, ignoring: Sink): Promise<void> {
  const hasChapter = (chapter: Chapter) => settings.only.includes(chapter);
  say('bundling the programs that run in Node');
  await bundleClients();
  const { contenders, missing: missingReasons } = await gatherContenders(folder);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
  print(`${machine.cores} cores of ${machine.processor}, ${machine.system}, Node ${machine.node.slice(1)}`);
  print(`medians of ${settings.runs} runs, order rotated${settings.quick ? '; --quick: small sizes' : ''}`);
  print(contendersText(contenders, missingReasons));

  async function raceOver(
    protocol: Protocol,
    work: Work,
    { to: targetSink = sink, among = contenders, where: placeText = '' }: RaceVariant = {},
  ) {
    say(`${work.id} over ${protocol}${placeText}`);
    const result = await race(work, targetSink.target(protocol), {
      contenders: among,
      sink: targetSink,
      runs: settings.runs,
      say,
    });
    const comparison = compare(result, among);
    print(
      `\n${titleOf(work)} over ${protocol.toUpperCase()}${placeText}\n${raceText(work, result, comparison)}`,
    );
    return { result, comparison };
  }

  const largeWork =
    hasChapter('large') || hasChapter('loop')
      ? await makeLarge(join(folder, 'large.bin'), settings.largeBytes)
      : null;
  const largeHttps = hasChapter('large') && largeWork ? await raceOver('https', largeWork) : null;
  const largeHttp = hasChapter('large') && largeWork ? await raceOver('http', largeWork) : null;
  const largeIgnored =
    hasChapter('large') && largeWork
      ? await raceOver('http', largeWork, {
          to: ignoring,
          among: contenders.filter(({ role }) => role !== 'peer'),
          where: ', to a store that ignores CRC32s',
        })
      : null;

  const smallWork =
    hasChapter('small') || hasChapter('loop')
      ? await makeSmall(join(folder, 'small'), settings.smallFiles, settings.smallBytes)
      : null;
  const smallHttps = hasChapter('small') && smallWork ? await raceOver('https', smallWork) : null;
  const smallHttp = hasChapter('small') && smallWork ? await raceOver('http', smallWork) : null;

  const loop =
    hasChapter('loop') && largeWork && smallWork
      ? {
          large: await measureLoopDelay(largeWork, settings.runs, sink),
          small: await measureLoopDelay(smallWork, settings.runs, sink),
        }
      : null;
  if (loop) print(`\nMain thread while sending over HTTPS\n${loopText(loop)}`);

  const memory = hasChapter('memory') ? await measureMemory(settings.memorySizes, folder, sink, say) : null;
  if (memory) print(`\nOne sparse file over HTTPS\n${memoryText(memory)}`);

  const tree = join(folder, 'tree');
  if (hasChapter('scan')) await makeTree(tree, settings.scanFiles);
  const scan = hasChapter('scan') ? await raceScan(tree, settings.scanFiles, settings.runs) : null;
  if (scan) print(`\nScan of ${settings.scanFiles} files\n${scanText(scan)}`);

  if (hasChapter('launch')) say('launches');
  const launched = hasChapter('launch') ? await measureLaunch(settings.launches, folder) : null;
  if (launched) print(`\nLaunch\n${launchText(launched)}`);
  const launch = typeof launched === 'string' ? null : launched;
  const size = hasChapter('size') ? measurePackage() : null;
  if (size) print(`\nThe last build\n${sizeText(size)}`);

  const service = hasChapter('service')
    ? await measureService({ ...settings, files: settings.watchedFiles, folder, say })
    : null;
  if (service) print(`\nThe command and the service\n${serviceText(service)}`);
  const lines = hasChapter('line')
    ? await raceLines({
        settings,
        folder,
        sink,
        contenders: contenders.filter(({ role }) => role !== 'ceiling'),
        say,
        onFinding: (finding) =>
          print(`\n${titleOf(finding.work)} over a line of ${finding.title}\n${lineText(finding)}`),
      })
    : null;

  const million = hasChapter('million') ? await measureMillion(settings.manyFiles, folder, sink, say) : null;
  if (million) print(`\n${million.files} files in one source\n${millionText(million)}`);

  const manners = hasChapter('manners')
    ? await measureManners(settings.mannerSeconds, folder, sink, say)
    : null;
  if (manners) print(`\nOn a computer on which somebody works\n${mannersText(manners)}`);
  const mannerly = typeof manners === 'string' ? null : manners;

  const targets = judge({
    largeHttps: largeHttps?.comparison ?? null,
    largeHttp: largeHttp?.comparison ?? null,
    largeIgnored: largeIgnored?.comparison ?? null,
    smallHttps: smallHttps?.comparison ?? null,
    memory,
    scan,
    loop,
    launch,
    size,
    service,
    lines,
    million,
    manners: mannerly,
  });
  print(`\n${verdictsText(targets)}`);
  if (settings.json) {
    const races = { largeHttps, largeHttp, largeIgnored, smallHttps, smallHttp };
    print(
      JSON.stringify(
        toJson({
          machine,
          settings,
          contenders,
          missing: missingReasons,
          races,
          memory,
          scan,
          loop,
          launch,
          size,
          service,
          lines,
          million,
          manners: mannerly,
          targets,
        }),
      ),
    );
  }
}

function titleOf({ files, bytes }: Work): string {
  return files === 1 ? `One file of ${bytes / 2 ** 20} MiB` : `${files} files of ${bytes / files / 1024} KiB`;
}

async function main(args: readonly string[]): Promise<void> {
  const settings = readSettings(args);
  if (!settings) return void process.stdout.write(`${usage}\n`);
  const folder = await mkdtemp(join(settings.folder ?? tmpdir(), 'tilelift-bench-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  }
  try {
    const certificate = await makeCertificate(folder);
    const sink = await launchSink(certificate, 'verify', standardHosts.storage);
    const ignoring = await launchSink(certificate, 'ignore');
    try {
      await run(settings, folder, sink, ignoring);
    } finally {
      await sink.stop();
      await ignoring.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const cause = error instanceof Error && error.cause ? `\n${String(error.cause)}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 1;
}
