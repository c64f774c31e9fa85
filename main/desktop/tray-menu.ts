import type { JobSnapshot } from '../jobs/model.ts';
import type { RuleSnapshot } from '../watch/model.ts';
import type { Work } from './work.ts';

/** What the tray says and offers. Pure. */
export interface TrayMenu {
  /** What happens now, the most urgent first; never empty. */
  readonly lines: readonly string[];
  /** What can be done with all watched folders; null where there are none. */
  readonly folders: 'pause' | 'resume' | null;
}

const space = '\u00a0';
const toUpload: ReadonlySet<JobSnapshot['status']> = new Set([
  'queued',
  'creating',
  'uploading',
  'completing',
]);

export function trayMenu({ jobs, rules }: Work): TrayMenu {
  const lines = [uploadLine(jobs), tilingLine(jobs), personLine(jobs), ...folderLines(rules)];
  const said = lines.filter((line) => line !== null);
  const on = rules.some(({ rule }) => rule.on);
  return {
    lines: said.length > 0 ? said : ['Nothing to do'],
    folders: rules.length === 0 ? null : on ? 'pause' : 'resume',
  };
}

/** Of all that are to be uploaded, how many are on the line, and how far those are. */
function uploadLine(jobs: readonly JobSnapshot[]): string | null {
  const all = jobs.filter((job) => toUpload.has(job.status) && !waitsForPerson(job));
  const onLine = all.filter(({ status, waitingFor }) => status !== 'queued' && waitingFor !== 'line');
  if (all.length === 0) return null;
  if (onLine.length > 0 && onLine.every(({ waitingFor }) => waitingFor === 'network'))
    return 'Waiting for the network';
  const many = all.length > 1 ? `${space}${onLine.length} of ${all.length}` : '';
  const total = onLine.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = onLine.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const percent = total > 0 ? `, ${inPercent(done / total)}` : '';
  return `Uploading${many}${percent}`;
}

function tilingLine(jobs: readonly JobSnapshot[]): string | null {
  const tiling = jobs.filter(({ status, waitingFor }) => status === 'tiling' && waitingFor !== 'sign-in');
  const [first] = tiling;
  if (!first) return null;
  if (tiling.length > 1) return `Tiling ${counted(tiling.length, 'asset')}`;
  return first.percentComplete === null ? 'Tiling' : `Tiling, ${inPercent(first.percentComplete / 100)}`;
}

function personLine(jobs: readonly JobSnapshot[]): string | null {
  if (jobs.some(({ waitingFor }) => waitingFor === 'sign-in')) return 'Waiting for a sign-in';
  const asking = jobs.filter(({ waitingFor }) => waitingFor === 'confirmation').length;
  return asking === 0 ? null : `${counted(asking, 'upload')} ${asking === 1 ? 'waits' : 'wait'} for you`;
}

function folderLines(rules: readonly RuleSnapshot[]): readonly (string | null)[] {
  const on = rules.filter(({ rule }) => rule.on);
  if (on.length === 0) return [rules.length > 0 ? 'Watched folders are paused' : null];
  const inNeed = on.filter(({ state, counts }) => state === 'suspended' || counts.failed > 0).length;
  const need = `${counted(inNeed, 'folder')} ${inNeed === 1 ? 'needs' : 'need'} attention`;
  return [inNeed > 0 ? need : null, `Watching ${counted(on.length, 'folder')}`];
}

const waitsForPerson = ({ waitingFor }: JobSnapshot) =>
  waitingFor === 'sign-in' || waitingFor === 'confirmation';

const counted = (value: number, one: string) => `${value}${space}${value === 1 ? one : `${one}s`}`;

/** Rounded down, so that 100 % never stands there before everything is done. */
const inPercent = (share: number) => `${Math.floor(Math.min(1, Math.max(0, share)) * 100)}${space}%`;
