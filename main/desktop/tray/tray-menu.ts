import { isToUpload, waitsForAnother, waitsForPerson } from '../../../shared/job-status.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { formatPercent, say } from '../../say.ts';
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
    uploadWords(jobs),
    tilingWords(jobs),
    pausedWords(jobs),
    personWords(jobs),
    ...folderWords(rules),
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

/** Of all that are to be uploaded, how many are under way, and how far those are. */
function uploadWords(jobs: readonly JobSnapshot[]): string | null {
  const all = jobs.filter((job) => isToUpload(job.status) && !waitsForPerson(job));
  const underWay = all.filter((job) => job.status !== 'queued' && !waitsForAnother(job));
  if (all.length === 0) return null;
  if (underWay.length === 0 && all.some(({ waitingFor }) => waitingFor === 'source'))
    return say('tray.source');
  if (underWay.length > 0 && underWay.every(({ waitingFor }) => waitingFor === 'network'))
    return say(unansweredKey(underWay));
  const total = underWay.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = underWay.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const percent = total > 0 ? formatPercent(done / total) : null;
  const many = { now: underWay.length, all: all.length };
  if (percent === null) return all.length > 1 ? say('tray.uploadingMany', many) : say('tray.uploading');
  return all.length > 1
    ? say('tray.uploadingManyAt', { ...many, percent })
    : say('tray.uploadingAt', { percent });
}

/** Whom all of them wait for, where that is one. */
function unansweredKey(jobs: readonly JobSnapshot[]): 'tray.network' | 'tray.noStorage' | 'tray.noService' {
  if (jobs.every(({ error }) => error?.code === 'storage-unreachable')) return 'tray.noStorage';
  return jobs.every(({ error }) => error?.code === 'service-unreachable') ? 'tray.noService' : 'tray.network';
}

function tilingWords(jobs: readonly JobSnapshot[]): string | null {
  const tiling = jobs.filter(({ status, waitingFor }) => status === 'tiling' && waitingFor !== 'sign-in');
  const [first] = tiling;
  if (!first) return null;
  if (tiling.length > 1) return say('tray.tilingMany', { count: tiling.length });
  return first.percentComplete === null
    ? say('tray.tiling')
    : say('tray.tilingAt', { percent: formatPercent(first.percentComplete / 100) });
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

/** Things that are paused and taken up again together: uploads, watched folders. */
interface Pausable {
  /** All that can be paused (on) or taken up again (off). */
  list(): readonly { readonly id: string; readonly on: boolean }[];
  setOn(id: string, on: boolean): void;
}

/** Pauses all, or resumes those that it paused; after a restart, or with none of them left, all. */
export function createPauseAll({ list, setOn }: Pausable): { pause(): void; resume(): void } {
  const paused = new Set<string>();
  return {
    pause: () => {
      paused.clear();
      for (const { id, on } of list()) {
        if (!on) continue;
        paused.add(id);
        setOn(id, false);
      }
    },
    resume: () => {
      const off = list().filter(({ on }) => !on);
      const ours = off.filter(({ id }) => paused.has(id));
      for (const { id } of ours.length > 0 ? ours : off) setOn(id, true);
      paused.clear();
    },
  };
}
