import { StorageError } from '../upload/storage-error.ts';
import type { JobCollaborators } from './job-collaborators.ts';

/** An end of the upload waits no longer than this for storage to tidy up. */
const limitMs = 15_000;

/**
 * For a job that sends nothing more: aborts its open multipart uploads as far as storage lets it, then forgets the credentials. Parts that stay
 * behind are the storage's to clear away, so what goes wrong here is a matter for the log alone.
 */
export async function releaseUpload(
  jobId: string,
  { journal, grants, storageFor, log }: JobCollaborators,
): Promise<void> {
  const grant = grants.get(jobId);
  if (!grant) return;
  const open = journal.openUploads(jobId);
  if (open.length > 0) {
    const storage = storageFor(grant.location);
    const signal = AbortSignal.timeout(limitMs);
    for (const { key, uploadId } of open) {
      try {
        await storage.abortMultipartUpload(key, uploadId, { signal });
      } catch (error) {
        log.warn({ jobId, key, error }, 'an open upload could not be aborted');
        if (!(error instanceof StorageError) || error.fault.status === undefined) break;
      }
    }
    storage.close();
  }
  grants.delete(jobId);
}
