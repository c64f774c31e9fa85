import { TileliftError } from '../../errors.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Cli } from '../cli.ts';
import { byHolder } from '../running.ts';
import type { FollowOptions, FollowResult } from './follow.ts';
import type { Uploader } from './uploader.ts';

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

interface Session {
  uploader: Uploader;
}

interface HolderOptions {
  readonly limitRate?: number | undefined;
}

/** Adds a job; if the upload that holds the journal ends first, this process or the next one adds it. */
export async function addByHolder(
  cli: Cli,
  session: Session,
  job: NewJob,
  { again: allowRepeat, limitRate }: HolderOptions & { readonly again: boolean },
): Promise<AddedJob> {
  try {
    return await session.uploader.add(job, allowRepeat);
  } catch (error) {
    const isLost = error instanceof TileliftError && error.code === 'socket-lost';
    if (!isLost || !isPassing(session)) throw error;
    await takeOver(cli, session, limitRate);
    return session.uploader.add(job, allowRepeat);
  }
}

/**
 * Follows a job to its end. If an upload that holds the journal ends first, this process or the next one
 * continues.
 */
export async function followToEnd(
  cli: Cli,
  session: Session,
  job: JobSnapshot,
  { limitRate, ...options }: FollowOptions & HolderOptions,
): Promise<FollowResult> {
  for (;;) {
    const followResult = await session.uploader.follow(job, options);
    if (!followResult.connectionError || !isPassing(session) || cli.stop.aborted) return followResult;
    await takeOver(cli, session, limitRate);
  }
}

const isPassing = ({ uploader: { owner } }: Session) => owner?.owner === 'upload';

async function takeOver(cli: Cli, session: Session, limitRate: number | undefined): Promise<void> {
  await session.uploader.close();
  session.uploader = await openUploader(cli, limitRate);
}
