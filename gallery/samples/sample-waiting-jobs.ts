import type { JobView } from '../../preload/contract.ts';
import { error, jobsBefore, sentJob } from './sample-jobs.ts';

const minute = 60_000;

/** A job for each reason to wait. */
export function waitingJobs(nowMs: number): readonly JobView[] {
  const job = jobsBefore(nowMs);
  const sending = sentJob(88, 41e9, 4900, 8.6e9, 1028);
  return [
    job('tight', 'uploading', 30, 'DGM Bergbaufolge Nord', {
      sourceType: 'RASTER_TERRAIN',
      ...sending,
      bytesPerSecond: 6.2e6,
      secondsLeft: 5226,
      partsOnWire: 4,
      partsSentAgain: 12,
      concurrency: 4,
      credentialsEndAt: nowMs + 29 * minute,
      assetId: 2481911,
      actions: ['pause', 'cancel'],
    }),
    job('confirm', 'creating', 31, 'Landesbefliegung 2026', {
      sourceType: '3D_CAPTURE',
      fileCount: 12804,
      bytesTotal: 180e9,
      waitingFor: 'confirmation',
      error: error('forecast-too-long', {
        key: 'history.needs',
        values: { time: { duration: 250 * minute }, rate: { bytesPerSecond: 12e6 } },
      }),
      actions: ['confirm', 'cancel'],
    }),
    job('network', 'uploading', 32, 'ALS Block 7 (laz)', {
      sourceType: 'POINT_CLOUD',
      ...sending,
      credentialsEndAt: nowMs + 28 * minute,
      waitingFor: 'network',
      assetId: 2481910,
      error: error('storage-unreachable', 's3.example.com'),
      nextTryAt: nowMs + 4_000,
      actions: ['try-now', 'pause', 'cancel'],
    }),
    job('terrain', 'queued', 33, 'LoD2 Landkreis', {
      sourceType: 'CITYGML',
      fileCount: null,
      bytesTotal: null,
      waitingFor: 'terrain',
      terrain: { id: 2481898, name: 'Geländemodell Elbe', percentComplete: 71 },
      isQueued: true,
      expected: { files: 1840, bytes: 2.1e9 },
      actions: ['pause', 'cancel'],
    }),
    job('source', 'uploading', 33, 'Befliegung Kai (USB)', {
      sourceType: '3D_CAPTURE',
      ...sending,
      credentialsEndAt: nowMs + 27 * minute,
      waitingFor: 'source',
      assetId: 2481912,
      error: error('source-away', 'E:\\Befliegung Kai'),
      actions: ['pause', 'cancel'],
    }),
    job('line', 'uploading', 33, 'Hafen Süd', {
      sourceType: '3D_CAPTURE',
      ...sending,
      credentialsEndAt: nowMs + 27 * minute,
      waitingFor: 'turn',
      assetId: 2481909,
      actions: ['pause', 'cancel'],
    }),
    job('sign-in', 'tiling', 34, 'LoD2 Altstadt', {
      uploadedAt: nowMs - 20 * minute,
      ...sending,
      bytesDone: 41e9,
      partsDone: 4900,
      percentComplete: 12,
      waitingFor: 'sign-in',
      assetId: 2481908,
      error: error('invalid-credentials', 'api.cesium.com'),
      actions: ['cancel'],
    }),
    job('queued-sign-in', 'queued', 21, 'LoD2 Altstadt', {
      waitingFor: 'sign-in',
      error: error('not-signed-in', 'api.cesium.com'),
      actions: ['pause', 'cancel'],
    }),
    job('queued', 'queued', 35, 'Orthophoto 20 cm', {
      sourceType: 'RASTER_IMAGERY',
      waitingFor: 'turn',
      actions: ['pause', 'cancel'],
    }),
  ];
}
