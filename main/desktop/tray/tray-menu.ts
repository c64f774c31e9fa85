import { isToUpload, waitsForAnother, waitsForPerson } from '../../../shared/job-status.ts';
import { queueSecondsLeft } from '../../../shared/queue.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { formatDuration, formatFacts, formatPercent, say } from '../../say.ts';
import type { RuleSnapshot } from '../../watch/model/model.ts';
import type { Work } from '../launch/work.ts';

/** Pure. */
export interface TrayMenu {
  /** Most urgent first; never empty. */
  readonly lines: readonly string[];
  /** Null if none can be paused or resumed. */
  readonly uploads: 'pause' | 'resume' | null;
  /** Null without any. */
  readonly folders: 'pause' | 'resume' | null;
}

export function trayMenu({ jobs, rules }: Work): TrayMenu {
  const lines = [
    uploadWords(jobs),
    tilingWords(jobs),
    pausedWords(jobs),
    personWords(jobs),
    ...folderWords(rules),
  ];
  const texts = lines.filter((line) => line !== null);
  // Not the policy's.
  const personalRules = rules.filter(({ locked: isLocked }) => !isLocked);
  const isAnyOn = personalRules.some(({ rule }) => rule.on);
  return {
    lines: texts.length > 0 ? texts : [say('tray.nothing')],
    uploads: jobs.some(canPause) ? 'pause' : jobs.some(isPaused) ? 'resume' : null,
    folders: personalRules.length === 0 ? null : isAnyOn ? 'pause' : 'resume',
  };
}

function uploadWords(jobs: readonly JobSnapshot[]): string | null {
  const uploads = jobs.filter((job) => isToUpload(job.status) && !waitsForPerson(job));
  const jobsUnderWay = uploads.filter((job) => job.status !== 'queued' && !waitsForAnother(job));
  if (uploads.length === 0) return null;
  if (jobsUnderWay.length === 0 && uploads.some(({ waitingFor }) => waitingFor === 'source'))
    return say('tray.source');
  if (jobsUnderWay.length > 0 && jobsUnderWay.every(({ waitingFor }) => waitingFor === 'network'))
    return say(unansweredKey(jobsUnderWay));
  const total = jobsUnderWay.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = jobsUnderWay.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const percent = total > 0 ? formatPercent(done / total) : null;
  const secondsLeft = queueSecondsLeft(jobs);
  const remaining =
    secondsLeft === null ? null : say('job.detail.left', { left: formatDuration(secondsLeft * 1000) });
  const counts = { now: jobsUnderWay.length, all: uploads.length };
  if (percent === null) return uploads.length > 1 ? say('tray.uploadingMany', counts) : say('tray.uploading');
  const progress =
    uploads.length > 1
      ? say('tray.uploadingManyAt', { ...counts, percent })
      : say('tray.uploadingAt', { percent });
  return formatFacts([progress, remaining]);
}

function unansweredKey(jobs: readonly JobSnapshot[]): 'tray.network' | 'tray.noStorage' | 'tray.noService' {
  if (jobs.every(({ error }) => error?.code === 'storage-unreachable')) return 'tray.noStorage';
  return jobs.every(({ error }) => error?.code === 'service-unreachable') ? 'tray.noService' : 'tray.network';
}

function tilingWords(jobs: readonly JobSnapshot[]): string | null {
  const tiling = jobs.filter(({ status, waitingFor }) => status === 'tiling' && waitingFor !== 'sign-in');
  const [firstTiling] = tiling;
  if (!firstTiling) return null;
  if (tiling.length > 1) return say('tray.tilingMany', { count: tiling.length });
  return firstTiling.percentComplete === null
    ? say('tray.tiling')
    : say('tray.tilingAt', { percent: formatPercent(firstTiling.percentComplete / 100) });
}

function pausedWords(jobs: readonly JobSnapshot[]): string | null {
  const count = jobs.filter(isPaused).length;
  return count === 0 ? null : say('tray.uploadsPaused', { count });
}

function personWords(jobs: readonly JobSnapshot[]): string | null {
  if (jobs.some(({ waitingFor }) => waitingFor === 'sign-in')) return say('tray.signIn');
  const count = jobs.filter(({ waitingFor }) => waitingFor === 'confirmation').length;
  return count === 0 ? null : say('tray.asks', { count });
}

function folderWords(rules: readonly RuleSnapshot[]): readonly (string | null)[] {
  const activeRules = rules.filter(({ rule }) => rule.on);
  if (activeRules.length === 0) return [rules.length > 0 ? say('tray.foldersPaused') : null];
  const inNeed = activeRules.filter(
    ({ state, counts }) => state === 'suspended' || counts.failed > 0 || counts.held > 0,
  ).length;
  return [
    inNeed > 0 ? say('tray.attention', { count: inNeed }) : null,
    say('tray.watching', { count: activeRules.length }),
  ];
}

const canPause = ({ actions }: JobSnapshot) => actions.includes('pause');
const isPaused = ({ status }: JobSnapshot) => status === 'paused';

interface Pausable {
  list(): readonly { readonly id: string; readonly isOn: boolean }[];
  setOn(id: string, turnOn: boolean): void;
}

/** Resumes those that it paused, else all, as after a restart. */
export function createPauseAll({ list, setOn }: Pausable): { pause(): void; resume(): void } {
  const pausedRules = new Set<string>();
  return {
    pause: () => {
      pausedRules.clear();
      for (const { id, isOn } of list()) {
        if (!isOn) continue;
        pausedRules.add(id);
        setOn(id, false);
      }
    },
    resume: () => {
      const switchedOff = list().filter(({ isOn }) => !isOn);
      const rulesWePaused = switchedOff.filter(({ id }) => pausedRules.has(id));
      for (const { id } of rulesWePaused.length > 0 ? rulesWePaused : switchedOff) setOn(id, true);
      pausedRules.clear();
    },
  };
}
