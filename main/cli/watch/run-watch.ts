import { inEnglish } from '../../../strings/sayer.ts';
import type { Tilelift } from '../../app.ts';
import type { Log } from '../../log.ts';
import { systemClock } from '../../ports.ts';
import { createSocketWork, type SocketWork } from '../../socket/answers.ts';
import { serveCommands } from '../../socket/serve-commands.ts';
import type { WatchEnd } from '../../watch/model/model.ts';
import { type LateRule, listLateRules } from '../../watch/rules/reconcile.ts';
import type { Cli } from '../cli.ts';
import { type OpenedTilelift, openTilelift } from '../compose.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readNamedSecret } from '../named-secrets.ts';
import { openServiceLog } from '../open-log.ts';
import { isoTime } from '../output.ts';
import { idOfNamed, signedInAccount } from '../signed-in.ts';
import { exitCodeWhenStopped } from '../stopped.ts';
import { UsageError } from '../usage-error.ts';
import { applyRules, applySettings } from './apply-file.ts';
import { printDryRun } from './dry-run.ts';
import type { LoopbackAddress } from './metrics/loopback-address.ts';
import { reportHealth } from './report-health.ts';
import {
  parseServiceFile,
  problemFacts,
  problemPhrase,
  readServiceText,
  type ServiceFile,
} from './service-file.ts';
import { createServiceManager } from './service-manager.ts';

export interface WatchOptions {
  /** Default: the stored rules. */
  readonly rules?: string | undefined;
  readonly dryRun: boolean;
  /** Default: none. */
  readonly metrics?: LoopbackAddress | undefined;
  readonly takeExisting: boolean;
}

/** For checking the file and retrying rules, ms. */
const checkIntervalMs = 2_000;
const retryMs = 30_000;

/** Runs in the foreground until a signal; logs JSON to standard error. */
export async function runWatch(baseCli: Cli, options: WatchOptions): Promise<ExitCode> {
  const text = options.rules === undefined ? null : readServiceText(options.rules);
  const file = text === null ? null : fileIn(text, baseCli, options);
  const cli = file?.account === undefined ? baseCli : withAccount(baseCli, file.account);
  if (options.dryRun) return printDryRun(cli, file);
  const log = openServiceLog(cli);
  const openedTilelift = await openTilelift(cli, { log });
  const manager = createServiceManager(cli.env, process.pid, log);
  const { tilelift, settings, home } = openedTilelift;
  try {
    if (file) applySettings(file, settings);
    await tilelift.start();
    const { id } = await signedInAccount(cli, openedTilelift);
    const stopReportingEnds = tilelift.watch.onEnd((end) => reportEnd(cli, end));
    const follower = followFile({
      ...options,
      cli: baseCli,
      openedTilelift,
      accountId: id,
      log: log.child('rules'),
    });
    const { watch } = tilelift;
    const exposedServices = {
      ...tilelift,
      watch: { ...watch, rules: () => listLateRules(watch.rules(), follower.late()) },
    };
    const commands = await serveCommands({
      ...exposedServices,
      ...{ home, owner: 'watch', version: cli.version, clock: systemClock, log: log.child('socket') },
    });
    const work = createSocketWork({ ...exposedServices, clock: systemClock });
    const metrics = options.metrics
      ? await startMetrics(cli, exposedServices, work, options.metrics, log)
      : null;
    let stopReporting = () => {};
    try {
      if (file && text !== null) await follower.apply(file, text);
      const folders = tilelift.watch.rules().length;
      log.info({ home, folders }, 'watching');
      cli.output().event({ event: 'watching', home, folders });
      manager.notifyReady();
      stopReporting = reportHealth(work.status, log, cli.output());
      await follower.untilStopped(cli.stop);
    } finally {
      stopReporting();
      work.stop();
      manager.notifyStopping();
      manager.stop();
      stopReportingEnds();
      await metrics?.stop();
      await commands.stop();
    }
  } finally {
    await openedTilelift.dispose();
  }
  log.info({ signal: String(cli.stop.reason) }, 'stopped');
  const exitCode = exitCodeWhenStopped(cli.stop);
  return cli.output().end(exitCode);
}

/** @throws UsageError if the port is taken */
async function startMetrics(
  cli: Cli,
  { jobs }: Tilelift,
  { status }: SocketWork,
  address: LoopbackAddress,
  log: Log,
) {
  const [{ createMetrics }, { serveMetrics }] = await Promise.all([
    import('./metrics/metrics.ts'),
    import('./metrics/serve-metrics.ts'),
  ]);
  const metrics = createMetrics({ jobs, status, version: cli.version, clock: Date.now });
  try {
    const server = await serveMetrics(metrics, address, log);
    log.info({ address: server.address }, 'metrics');
    cli.output().event({ event: 'metrics', address: server.address });
    return { stop: () => server.stop() };
  } catch {
    metrics.stop();
    throw new UsageError({ key: 'cli.watch.metricsTaken', values: { port: String(address.port) } });
  }
}

/** @throws UsageError after printing all problems */
function fileIn(text: string, cli: Cli, { rules: path = '', dryRun }: WatchOptions): ServiceFile {
  // A dry run may lack the permission to read the secrets.
  const read = dryRun ? parseServiceFile(text) : parseForService(text, cli);
  if (read.kind === 'read') return read.data;
  const output = cli.output();
  for (const problem of read.problems) {
    output.print(problemPhrase(problem));
    output.event({ event: 'problem', path, ...problemFacts(problem) });
  }
  throw new UsageError({ key: 'cli.watch.fileFaulty', values: { path } });
}

const parseForService = (text: string, { env }: Cli) =>
  parseServiceFile(text, (place) => readNamedSecret(place, env));

function withAccount(cli: Cli, account: string): Cli {
  return { ...cli, common: () => ({ ...cli.common(), account: cli.common().account ?? account }) };
}

interface FollowParts extends WatchOptions {
  readonly cli: Cli;
  readonly openedTilelift: OpenedTilelift;
  readonly accountId: string;
  readonly log: Log;
}

function followFile({ cli, openedTilelift, accountId, log, rules: path, takeExisting }: FollowParts) {
  const { tilelift, settings } = openedTilelift;
  let current: { readonly text: string; readonly file: ServiceFile } | null = null;
  let refusedContent = '';
  let lateRules: readonly LateRule[] = [];
  let triedAt = systemClock.elapsed();

  async function apply(file: ServiceFile, text: string): Promise<void> {
    current = { text, file };
    triedAt = systemClock.elapsed();
    const { watch, alerts, accounts } = tilelift;
    const name = cli.common().account ?? file.account;
    const namedAccount = name === undefined ? null : idOfNamed(name, accounts);
    lateRules = await applyRules(file, {
      ...{ watch, alerts, settings, takeExisting },
      ...{ namedAccount, currentAccount: accountId },
    });
  }

  async function checkFile(): Promise<void> {
    if (path === undefined) return;
    let text: string;
    try {
      text = readServiceText(path);
    } catch {
      // The file may be just being replaced.
      return;
    }
    if (text !== current?.text && text !== refusedContent) await applyChangedFile(text);
    else if (current && lateRules.length > 0 && systemClock.elapsed() - triedAt >= retryMs)
      await apply(current.file, current.text);
  }

  async function applyChangedFile(text: string): Promise<void> {
    const read = parseForService(text, cli);
    if (read.kind === 'problems') {
      refusedContent = text;
      for (const problem of read.problems)
        log.error(
          { path },
          `the rules file is faulty; the old one stays: ${inEnglish.sayPhrase(problemPhrase(problem))}`,
        );
      cli.output().event({ event: 'rules-refused', path, problems: read.problems.map(problemFacts) });
      return;
    }
    refusedContent = '';
    applySettings(read.data, settings);
    await apply(read.data, text);
    log.info({ path, rules: read.data.rules.length }, 'the rules file was taken over');
    cli.output().event({ event: 'rules-changed', path, rules: read.data.rules.length });
  }

  return {
    apply,
    late: () => lateRules,
    untilStopped: async (stop: AbortSignal) => {
      while (!stop.aborted) {
        await systemClock.sleep(checkIntervalMs, stop).catch(() => {});
        if (!stop.aborted) await checkFile();
      }
    },
  };
}

function reportEnd(cli: Cli, { ruleName, source, outcome, jobId, error, endedAt }: WatchEnd): void {
  cli
    .output()
    .event({
      event: 'source-ended',
      rule: ruleName,
      source,
      outcome,
      jobId,
      endedAt: isoTime(endedAt),
      error,
    });
  const key = outcome === 'complete' ? 'cli.watch.complete' : 'cli.watch.failed';
  cli.output().result({ key, values: { rule: ruleName, source } });
}
