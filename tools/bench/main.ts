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
import { type Findings, judge } from './targets.ts';
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

  /** Measures and prints a chapter; null if it isn't wanted. */
  async function chapter<Figures>(
    name: Chapter,
    title: string,
    measure: () => Promise<Figures> | Figures,
    textOf: (figures: Figures) => string,
  ): Promise<Figures | null> {
    if (!hasChapter(name)) return null;
    say(title);
    const figures = await measure();
    print(`\n${title}\n${textOf(figures)}`);
    return figures;
  }

  const { runs } = settings;
  const needsWork = (name: Chapter) => hasChapter(name) || hasChapter('loop');
  const largeWork = needsWork('large') && (await makeLarge(join(folder, 'large.bin'), settings.largeBytes));
  const largeRace = (hasChapter('large') && largeWork) || null;
  const largeHttps = largeRace && (await raceOver('https', largeRace));
  const largeHttp = largeRace && (await raceOver('http', largeRace));
  const withoutPeers = contenders.filter(({ role }) => role !== 'peer');
  const toIgnoring = { to: ignoring, among: withoutPeers, where: ', to a store that ignores CRC32s' };
  const largeIgnored = largeRace && (await raceOver('http', largeRace, toIgnoring));

  const smallWork =
    needsWork('small') && (await makeSmall(join(folder, 'small'), settings.smallFiles, settings.smallBytes));
  const smallRace = (hasChapter('small') && smallWork) || null;
  const smallHttps = smallRace && (await raceOver('https', smallRace));
  const smallHttp = smallRace && (await raceOver('http', smallRace));

  const measureLoop = async (large: Work, small: Work) => ({
    large: await measureLoopDelay(large, runs, sink),
    small: await measureLoopDelay(small, runs, sink),
  });
  const loop =
    largeWork && smallWork
      ? await chapter(
          'loop',
          'Main thread while sending over HTTPS',
          () => measureLoop(largeWork, smallWork),
          loopText,
        )
      : null;
  const memory = await chapter(
    'memory',
    'One sparse file over HTTPS',
    () => measureMemory(settings.memorySizes, folder, sink, say),
    memoryText,
  );
  const tree = join(folder, 'tree');
  if (hasChapter('scan')) await makeTree(tree, settings.scanFiles);
  const scan = await chapter(
    'scan',
    `Scan of ${settings.scanFiles} files`,
    () => raceScan(tree, settings.scanFiles, runs),
    scanText,
  );
  const launched = await chapter(
    'launch',
    'Launch',
    () => measureLaunch(settings.launches, folder),
    launchText,
  );
  const size = await chapter('size', 'The last build', measurePackage, sizeText);
  const service = await chapter(
    'service',
    'The command and the service',
    () => measureService({ ...settings, files: settings.watchedFiles, folder, say }),
    serviceText,
  );
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
  const million = await chapter(
    'million',
    `${settings.manyFiles} files in one source`,
    () => measureMillion(settings.manyFiles, folder, sink, say),
    millionText,
  );
  const mannered = await chapter(
    'manners',
    'On a computer on which somebody works',
    () => measureManners(settings.mannerSeconds, folder, sink, say),
    mannersText,
  );

  const findings: Findings = {
    races: { largeHttps, largeHttp, largeIgnored, smallHttps, smallHttp },
    ...{ memory, scan, loop, size, service, lines, million },
    launch: typeof launched === 'string' ? null : launched,
    manners: typeof mannered === 'string' ? null : mannered,
  };
  const targets = judge(findings);
  print(`\n${verdictsText(targets)}`);
  if (settings.json)
    print(
      JSON.stringify(
        toJson({ machine, settings, contenders, missing: missingReasons, ...findings, targets }),
      ),
    );
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
