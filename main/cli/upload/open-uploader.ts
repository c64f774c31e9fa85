import type { JobSnapshot } from '../../jobs/model.ts';
import type { Cli } from '../cli.ts';
import { byHolder } from '../running.ts';
import type { Followed, FollowOptions } from './follow.ts';
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
