import type { Command } from 'commander';
import type { Phrase } from '../../../strings/phrase.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { errorMessage, say } from '../../say.ts';
import type { Status, WatchedFolder } from '../../socket/status.ts';
import type { Cli } from '../cli.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { isoTime } from '../output.ts';
import { addExamples } from '../program-help.ts';
import { runningTilelift } from '../running.ts';

/** `tilelift status` */
export function addStatus(program: Command, cli: Cli): void {
  const command = program
    .command('status')
    .description(say('cli.status.description'))
    .action(() => printStatus(cli));
  addExamples(command, ['tilelift status', 'tilelift status --json']);
}

async function printStatus(cli: Cli): Promise<void> {
  const output = cli.output();
  const running = await runningTilelift(cli);
  try {
    const { owner, version, pid } = running.greeting;
    const status = await running.ask('status', {});
    const exitCode = exitCodeOf(status);
    output.event({ event: 'status', owner, programVersion: version, pid, ...statusFacts(status) });
    output.result({ key: `cli.status.health.${status.health}`, values: { version, pid: String(pid) } });
    for (const { kind, count } of status.concerns)
      output.result({
        key: 'cli.status.concernLine',
        values: { concern: { key: `cli.status.concern.${kind}`, values: { count } } },
      });
    const { queued, creating, uploading, completing, tiling } = status.jobs;
    const underWayCount = creating + uploading + completing + tiling;
    output.result({ key: 'cli.status.jobs', values: { underWay: underWayCount, queued } });
    output.result(
      status.lastSuccessAt === null
        ? { key: 'cli.status.noSuccess' }
        : { key: 'cli.status.lastSuccess', values: { when: { time: status.lastSuccessAt } } },
    );
    for (const folder of status.folders) for (const line of linesOf(folder)) output.result(line);
    cli.finish(output.end(exitCode));
  } finally {
    running.disconnect();
  }
}

/** The lines of `status` about a watched folder. Pure. */
export function linesOf({
  name,
  folder,
  state,
  notice,
  counts,
  stuck: stuckSources,
}: WatchedFolder): readonly Phrase[] {
  const {
    waiting: waitingCount,
    settling,
    underWay: underWayCount,
    failed: failedCount,
    held: heldCount,
    leftAlone: ignoredCount,
    skipped: skippedCount,
  } = counts;
  const places = { name, folder, state: { key: stateWords[state] } };
  const values = {
    arriving: waitingCount + settling,
    underWay: underWayCount,
    failed: failedCount,
    held: heldCount,
    ignored: ignoredCount,
    skipped: skippedCount,
  };
  return [
    { key: 'cli.status.folder', values: { ...places, ...values } },
    ...(notice ? [{ key: 'cli.status.notice' as const, values: { why: errorMessage(notice) } }] : []),
    ...stuckSources.map(({ path, why }) => ({ key: 'cli.status.stuck' as const, values: { path, why } })),
  ];
}

/** The envelope has the current time. */
function statusFacts({ now: _now, accounts, folders, ...status }: Status) {
  return {
    ...status,
    startedAt: isoTime(status.startedAt),
    lastSuccessAt: isoTime(status.lastSuccessAt),
    outageSince: isoTime(status.outageSince),
    accounts: accounts.map(({ id, baseUrl, endsSoonAt }) => ({
      ...{ accountId: id, service: baseUrl, endsSoonAt: isoTime(endsSoonAt) },
    })),
    folders: folders.map(({ id, lastTakenAt, waitingSince, lastLookAt, stuck, ...folder }) => ({
      ...{ ruleId: id, ...folder, lastTakenAt: isoTime(lastTakenAt) },
      ...{ waitingSince: isoTime(waitingSince), lastLookAt: isoTime(lastLookAt) },
      stuck: stuck.map(({ path, why }) => ({ path, why: inEnglish.sayPhrase(why) })),
    })),
  };
}

const stateWords = {
  watching: 'watchRule.state.watching',
  looking: 'watchRule.state.looking',
  paused: 'watchRule.state.paused',
  suspended: 'watchRule.state.suspended',
  'standing-by': 'watchRule.state.standingBy',
} as const;

/** The first concern is the worst. Pure. */
export function exitCodeOf({ concerns }: Pick<Status, 'concerns'>): ExitCode {
  switch (concerns[0]?.kind) {
    case undefined:
      return exitCodes.complete;
    case 'signed-out':
      return exitCodes.signIn;
    case 'outage':
    case 'folder-away':
      return exitCodes.givenUp;
    case 'journal':
    case 'alerts-failing':
    case 'sign-in-ends':
    case 'held':
    case 'failed':
    case 'confirmation':
    case 'waiting-long':
    case 'notice':
      return exitCodes.heldForPerson;
  }
}
