import type { Inspector } from '../../inspect/session/inspector.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Asset } from '../../service/model.ts';
import type { Greeting } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import { byHolder } from '../running.ts';
import type { Followed, FollowOptions } from './follow.ts';

/** Uploads in this process or through the one that holds the journal. */
export interface Uploader {
  readonly inspector: Pick<Inspector, 'decide' | 'surveyDecided' | 'pathsOf'>;
  readonly accountId: string;
  /** Null if it is this process. */
  readonly owner: Greeting | null;
  terrainsCalled(name: string): Promise<readonly Asset[]>;
  /** The newest jobs of the journal. */
  jobs(): Promise<readonly JobSnapshot[]>;
  /** Throws the job's error. */
  add(job: NewJob, allowRepeat: boolean): Promise<AddedJob>;
  follow(job: JobSnapshot, options: FollowOptions): Promise<Followed>;
  /** Submitted jobs continue. */
  close(): Promise<void>;
}

/** @throws errors of `byHolder`, `uploadByRunning` and `uploadHere` */
export function openUploader(cli: Cli, limitRate?: number): Promise<Uploader> {
  return byHolder(
    cli,
    'account',
    async (running) => (await import('./hand-over.ts')).uploadByRunning(cli, running),
    // Load the large engine only to upload here.
    async () => (await import('./upload-here.ts')).uploadHere(cli, limitRate),
  );
}

/**
 * Follows a job to its end. If an upload that holds the journal ends first, this process or the next one
 * continues.
 */
export async function followToEnd(
  cli: Cli,
  session: { uploader: Uploader },
  job: JobSnapshot,
  { limitRate, ...options }: FollowOptions & { readonly limitRate?: number | undefined },
): Promise<Followed> {
  for (;;) {
    const { uploader } = session;
    const followed = await uploader.follow(job, options);
    if (!followed.connectionError || uploader.owner?.owner !== 'upload' || cli.stop.aborted) return followed;
    await uploader.close();
    session.uploader = await openUploader(cli, limitRate);
  }
}

/** Facts about the owner for JSON lines. */
export function ownerFacts({ owner }: Pick<Uploader, 'owner'>) {
  return owner ? { handedOverTo: { owner: owner.owner, version: owner.version, pid: owner.pid } } : {};
}

/** Returns a command line with the same home folder. */
export function jobsCall(cli: Pick<Cli, 'common'>, action: string, job: Pick<JobSnapshot, 'id'>): string {
  const { home } = cli.common();
  const homeOption = home === undefined ? '' : ` --home ${quoted(home)}`;
  return `tilelift jobs ${action} ${job.id.slice(0, 8)}${homeOption}`;
}

const quoted = (text: string) => (/^[\w./:\\-]+$/.test(text) ? text : JSON.stringify(text));
