import type { Command } from 'commander';
import { errorMessage, say } from '../../say.ts';
import type { Status } from '../../socket/status.ts';
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
      output.result({ key: `cli.status.concern.${kind}`, values: { count } });
    const { queued, creating, uploading, completing, tiling } = status.jobs;
    const underWay = creating + uploading + completing + tiling;
    output.result({ key: 'cli.status.jobs', values: { underWay, queued } });
    output.result(
      status.lastSuccessAt === null
        ? { key: 'cli.status.noSuccess' }
        : { key: 'cli.status.lastSuccess', values: { when: { time: status.lastSuccessAt } } },
    );
    for (const { name, folder, state, notice, counts } of status.folders) {
      const { waiting: waitingCount, settling, underWay, failed, held: heldCount } = counts;
      const arriving = waitingCount + settling;
      output.result({
        key: 'cli.status.folder',
        values: {
          name,
          folder,
          state: { key: stateWords[state] },
          arriving,
          underWay,
          failed,
          held: heldCount,
        },
      });
      if (notice) output.result({ key: 'cli.status.notice', values: { why: errorMessage(notice) } });
    }
    output.event({ event: 'result', exitCode });
    cli.finish(exitCode);
  } finally {
    running.disconnect();
  }
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
    folders: folders.map(({ id, lastTakenAt, waitingSince, lastLookAt, ...folder }) => ({
      ...{ ruleId: id, ...folder, lastTakenAt: isoTime(lastTakenAt) },
      ...{ waitingSince: isoTime(waitingSince), lastLookAt: isoTime(lastLookAt) },
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
