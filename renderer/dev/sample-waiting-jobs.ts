import type { JobView } from '../../preload/contract.ts';
import { error, makeJob } from './sample-jobs.ts';

const minute = 60_000;

/** One job for everything that a job can wait for. */
export function waitingJobs(now: number): readonly JobView[] {
  const sending = { fileCount: 88, bytesTotal: 41e9, bytesDone: 8.6e9, partsTotal: 4900, partsDone: 1028 };
  return [
    makeJob({
      id: 'tight',
      status: 'uploading',
      createdAt: now - 30 * minute,
      name: 'DGM Bergbaufolge Nord',
      sourceType: 'RASTER_TERRAIN',
      ...sending,
      bytesPerSecond: 6.2e6,
      secondsLeft: 5226,
      partsOnWire: 4,
      partsSentAgain: 12,
      concurrency: 4,
      credentialsEndAt: now + 29 * minute,
      assetId: 2481911,
      actions: ['pause', 'cancel'],
    }),
    makeJob({
      id: 'confirm',
      status: 'creating',
      createdAt: now - 31 * minute,
      name: 'Landesbefliegung 2026',
      sourceType: '3D_CAPTURE',
      fileCount: 12804,
      bytesTotal: 180e9,
      waitingFor: 'confirmation',
      error: error(
        'forecast-too-long',
        'This upload will probably not finish: it needs about 4 h 10 min at 12.0 MB/s.',
        'Its storage credentials live about one hour, and the service gives no way to renew them. Go ahead all the same, or cancel it and send less data or use a faster line.',
      ),
      actions: ['confirm', 'cancel'],
    }),
    makeJob({
      id: 'network',
      status: 'uploading',
      createdAt: now - 32 * minute,
      name: 'ALS Block 7 (laz)',
      sourceType: 'POINT_CLOUD',
      ...sending,
      credentialsEndAt: now + 22 * minute,
      waitingFor: 'network',
      assetId: 2481910,
      actions: ['pause', 'cancel'],
    }),
    makeJob({
      id: 'line',
      status: 'uploading',
      createdAt: now - 33 * minute,
      name: 'Hafen Süd',
      sourceType: '3D_CAPTURE',
      ...sending,
      credentialsEndAt: now + 22 * minute,
      waitingFor: 'line',
      assetId: 2481909,
      actions: ['pause', 'cancel'],
    }),
    makeJob({
      id: 'sign-in',
      status: 'tiling',
      createdAt: now - 34 * minute,
      uploadedAt: now - 20 * minute,
      ...sending,
      bytesDone: 41e9,
      partsDone: 4900,
      percentComplete: 12,
      waitingFor: 'sign-in',
      assetId: 2481908,
      error: error(
        'invalid-credentials',
        'The service no longer accepts this sign-in.',
        'Sign in again; unfinished uploads then go on by themselves.',
      ),
      actions: ['cancel'],
    }),
    makeJob({
      id: 'queued',
      status: 'queued',
      createdAt: now - 35 * minute,
      name: 'Orthophoto 20 cm',
      assetType: 'IMAGERY',
      sourceType: 'RASTER_IMAGERY',
      waitingFor: 'line',
      actions: ['pause', 'cancel'],
    }),
  ];
}
