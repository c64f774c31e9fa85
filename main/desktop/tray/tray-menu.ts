import { isToUpload, waitsForPerson } from '../../../shared/job-status.ts';
import { formatPercent } from '../../../strings/format/number.ts';
import { say } from '../../../strings/say.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { RuleSnapshot } from '../../watch/model.ts';
import type { Work } from '../work.ts';

/** What the tray says and offers. Pure. */
export interface TrayMenu {
  /** What happens now, the most urgent first; never empty. */
  readonly lines: readonly string[];
  /** What can be done with all uploads; null where there is nothing to be paused or taken up again. */
  readonly uploads: 'pause' | 'resume' | null;
  /** What can be done with all watched folders; null where there are none. */
  readonly folders: 'pause' | 'resume' | null;
}

export function trayMenu({ jobs, rules }: Work): TrayMenu {
  const lines = [
    uploadLine(jobs),
    tilingLine(jobs),
    pausedLine(jobs),
    personLine(jobs),
    ...folderLines(rules),
  ];
  const said = lines.filter((line) => line !== null);
  // Those of the policy are not the person's to pause.
  const own = rules.filter(({ locked }) => !locked);
  const on = own.some(({ rule }) => rule.on);
  return {
    lines: said.length > 0 ? said : [say('tray.nothing')],
    uploads: jobs.some(canPause) ? 'pause' : jobs.some(isPaused) ? 'resume' : null,
    folders: own.length === 0 ? null : on ? 'pause' : 'resume',
  };
}

/** Of all that are to be uploaded, how many are on the line, and how far those are. */
function uploadLine(jobs: readonly JobSnapshot[]): string | null {
  const all = jobs.filter((job) => isToUpload(job.status) && !waitsForPerson(job));
  const onLine = all.filter(
    ({ status, waitingFor }) => status !== 'queued' && waitingFor !== 'line' && waitingFor !== 'source',
  );
  if (all.length === 0) return null;
  if (onLine.length === 0 && all.some(({ waitingFor }) => waitingFor === 'source')) return say('tray.source');
  if (onLine.length > 0 && onLine.every(({ waitingFor }) => waitingFor === 'network'))
    return say('tray.network');
  const total = onLine.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = onLine.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const percent = total > 0 ? formatPercent(done / total) : null;
  const many = { now: onLine.length, all: all.length };
  if (percent === null) return all.length > 1 ? say('tray.uploadingMany', many) : say('tray.uploading');
  return all.length > 1
    ? say('tray.uploadingManyAt', { ...many, percent })
    : say('tray.uploadingAt', { percent });
}

function tilingLine(jobs: readonly JobSnapshot[]): string | null {
  const tiling = jobs.filter(({ status, waitingFor }) => status === 'tiling' && waitingFor !== 'sign-in');
  const [first] = tiling;
  if (!first) return null;
  if (tiling.length > 1) return say('tray.tilingMany', { count: tiling.length });
  return first.percentComplete === null
    ? say('tray.tiling')
    : say('tray.tilingAt', { percent: formatPercent(first.percentComplete / 100) });
}

function pausedLine(jobs: readonly JobSnapshot[]): string | null {
  const count = jobs.filter(isPaused).length;
  return count === 0 ? null : say('tray.uploadsPaused', { count });
}

function personLine(jobs: readonly JobSnapshot[]): string | null {
  if (jobs.some(({ waitingFor }) => waitingFor === 'sign-in')) return say('tray.signIn');
  const count = jobs.filter(({ waitingFor }) => waitingFor === 'confirmation').length;
  return count === 0 ? null : say('tray.asks', { count });
}

function folderLines(rules: readonly RuleSnapshot[]): readonly (string | null)[] {
  const on = rules.filter(({ rule }) => rule.on);
  if (on.length === 0) return [rules.length > 0 ? say('tray.foldersPaused') : null];
  const inNeed = on.filter(
    ({ state, counts }) => state === 'suspended' || counts.failed > 0 || counts.held > 0,
  ).length;
  return [
    inNeed > 0 ? say('tray.attention', { count: inNeed }) : null,
    say('tray.watching', { count: on.length }),
  ];
}

const canPause = ({ actions }: JobSnapshot) => actions.includes('pause');
const isPaused = ({ status }: JobSnapshot) => status === 'paused';
