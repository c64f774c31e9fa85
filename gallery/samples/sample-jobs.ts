import type { ErrorRecord, JobStatus, JobView } from '../../preload/contract.ts';
import { findKind } from '../../shared/kinds.ts';

const minute = 60_000;

/** A new job with these changes. */
export function makeJob(part: Partial<JobView> & Pick<JobView, 'id' | 'status' | 'createdAt'>): JobView {
  return {
    accountId: 'https://api.cesium.com',
    name: 'LoD2 Altstadt',
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    paths: [`/data/${(part.name ?? 'LoD2 Altstadt').replaceAll(/[^\p{L}\d]+/gu, '_')}`],
    uploadedAt: null,
    endedAt: null,
    fileCount: null,
    bytesTotal: null,
    bytesDone: 0,
    bytesOnWire: 0,
    bytesPerSecond: null,
    secondsLeft: null,
    partsTotal: null,
    partsDone: 0,
    partsOnWire: 0,
    credentialsEndAt: null,
    partsSentAgain: 0,
    concurrency: null,
    waitingFor: null,
    assetId: null,
    assetStatus: null,
    percentComplete: null,
    progressMessage: null,
    error: null,
    nextTryAt: null,
    byRule: false,
    actions: [],
    place: part.createdAt,
    isQueued: part.status === 'queued' || part.waitingFor === 'turn',
    expected: null,
    ...part,
  };
}

export function error(
  code: ErrorRecord['code'],
  subject: ErrorRecord['subject'] | null = null,
  remote?: ErrorRecord['remote'],
): ErrorRecord {
  return { code, ...(subject === null ? {} : { subject }), retryable: true, ...(remote ? { remote } : {}) };
}

/** Files, bytes and parts of a job, all of them sent unless stated. */
export const sentJob = (
  fileCount: number,
  bytesTotal: number,
  partsTotal: number,
  bytesDone = bytesTotal,
  partsDone = partsTotal,
) => ({ fileCount, bytesTotal, partsTotal, bytesDone, partsDone });

/** Makes jobs that began minutes before `nowMs`, with the asset type of their source type. */
export const jobsBefore =
  (nowMs: number) =>
  (id: string, status: JobStatus, minutes: number, name: string, part: Partial<JobView>): JobView =>
    makeJob({
      ...{ id, status, createdAt: nowMs - minutes * minute, name },
      assetType: findKind(part.sourceType ?? 'CITYGML')?.assetType ?? '3DTILES',
      ...part,
    });

export function busyJobs(nowMs: number): readonly JobView[] {
  const minutesAgo = (minutes: number) => nowMs - minutes * minute;
  const job = jobsBefore(nowMs);
  return [
    job('harbour', 'uploading', 9, 'Hafen Süd 2026-11 – Befliegung', {
      sourceType: '3D_CAPTURE',
      paths: ['/mnt/survey/2026/11/20/flights/harbour-south/2026-11-20_Hafen_Sued/export/reality-mesh'],
      ...sentJob(1284, 18.6e9, 1784, 11.7e9, 1121),
      bytesOnWire: 6.4e7,
      bytesPerSecond: 41.8e6,
      secondsLeft: 167,
      partsOnWire: 8,
      partsSentAgain: 3,
      concurrency: 12,
      credentialsEndAt: nowMs + 51 * minute + 20_000,
      assetId: 2481907,
      assetStatus: 'AWAITING_FILES',
      actions: ['pause', 'cancel'],
    }),
    job('creating', 'creating', 9.5, 'Bauvorhaben Kontorhaus mit einem recht langen Namen, Fassung 7', {
      sourceType: 'BIM_CAD',
      actions: ['cancel'],
    }),
    job('offline', 'uploading', 10, 'Ortho 2026 Ost', {
      sourceType: 'RASTER_IMAGERY',
      ...sentJob(88, 4.1e9, 120, 1.2e9, 36),
      credentialsEndAt: nowMs + 50 * minute,
      assetId: 2481905,
      waitingFor: 'network',
      error: error('storage-unreachable', 's3.example.com'),
      nextTryAt: nowMs + 4_000,
      actions: ['try-now', 'pause', 'cancel'],
    }),
    job('completing', 'completing', 11, 'Kirche St. Marien', {
      sourceType: '3D_MODEL',
      ...sentJob(41, 812e6, 97),
      uploadedAt: minutesAgo(1),
      assetId: 2481901,
      actions: [],
    }),
    job('tiling', 'tiling', 60, 'LoD2 Altstadt', {
      ...sentJob(36, 2.1e9, 251),
      uploadedAt: minutesAgo(20),
      assetId: 2481899,
      assetStatus: 'IN_PROGRESS',
      percentComplete: 38,
      actions: ['remove'],
    }),
    job('odd', 'tiling', 61, 'Geländemodell Elbe', {
      sourceType: 'TERRAIN_DATABASE',
      ...sentJob(1, 7.3e9, 871),
      uploadedAt: minutesAgo(30),
      assetId: 2481898,
      assetStatus: 'REBALANCING',
      percentComplete: 71.6,
      progressMessage: 'Moving to another pool',
      actions: ['stop-following', 'cancel'],
    }),
    job('queued', 'queued', 62, 'Punktwolke Tunnel Nord', {
      sourceType: 'POINT_CLOUD',
      fileCount: 12,
      bytesTotal: 9.9e9,
      actions: ['pause', 'cancel'],
    }),
    job('data', 'data-error', 90, 'DGM Bergbaufolge Nord', {
      endedAt: minutesAgo(70),
      sourceType: 'RASTER_TERRAIN',
      ...sentJob(412, 6.4e9, 900),
      uploadedAt: minutesAgo(80),
      assetId: 2481890,
      assetStatus: 'DATA_ERROR',
      error: error('data-error', null, { message: 'No coordinate reference system in 3 rasters' }),
      actions: ['start-again', 'remove'],
    }),
    job('paused', 'paused', 38, 'ALS Block 7 (laz)', {
      sourceType: 'POINT_CLOUD',
      ...sentJob(88, 41e9, 4888, 8.6e9, 1025),
      credentialsEndAt: nowMs + 22 * minute,
      assetId: 2481880,
      actions: ['resume', 'cancel'],
    }),
    job('complete', 'complete', 160, 'Orthophoto 20 cm – Kreis Ost', {
      uploadedAt: minutesAgo(153.8),
      sendingMs: 6.2 * minute,
      endedAt: minutesAgo(105),
      sourceType: 'RASTER_IMAGERY',
      ...sentJob(240, 12.9e9, 1600),
      assetId: 2481655,
      assetStatus: 'COMPLETE',
      percentComplete: 100,
      actions: ['remove'],
    }),
    job('expired', 'expired', 1500, 'Photogrammetrie Talsperre', {
      endedAt: minutesAgo(1440),
      sourceType: '3D_CAPTURE',
      ...sentJob(20210, 212e9, 25272, 144e9, 17166),
      assetId: 2480012,
      error: error('credentials-expired'),
      actions: ['start-again', 'remove'],
    }),
    job('failed', 'failed', 1600, 'Werft Halle 3', {
      endedAt: minutesAgo(1590),
      sourceType: 'IFC_CUSTOM',
      ...sentJob(3, 812e6, 97, 91e6, 11),
      assetId: 2480001,
      error: error('storage-denied', 'sources/2480001/halle1.ifc', {
        status: 403,
        code: 'AccessDenied',
        message: 'Access Denied',
      }),
      actions: ['try-again', 'start-again', 'remove'],
    }),
    job('tiling-error', 'error', 1700, 'Campus Nord', {
      endedAt: minutesAgo(1650),
      sourceType: 'KML',
      ...sentJob(2, 9.1e6, 2),
      uploadedAt: minutesAgo(1699),
      assetId: 2479999,
      assetStatus: 'ERROR',
      error: error('tiling-error'),
      actions: ['start-again', 'remove'],
    }),
    job('cancelled', 'cancelled', 1800, 'Test', {
      endedAt: minutesAgo(1799),
      fileCount: 1,
      bytesTotal: 18,
      bytesDone: 0,
      actions: ['start-again', 'remove'],
    }),
  ];
}

/** These jobs, and a correction of the failed one. */
export function correctedJobs(nowMs: number): readonly JobView[] {
  const jobs = busyJobs(nowMs);
  const failedJob = jobs.find(({ status }) => status === 'data-error');
  const tiling = jobs.find(({ status }) => status === 'tiling');
  if (!failedJob || !tiling) return jobs;
  const correctedJob: JobView = {
    ...failedJob,
    id: 'corrected',
    predecessor: failedJob.id,
    status: tiling.status,
    assetId: 2481913,
    assetStatus: tiling.assetStatus,
    percentComplete: tiling.percentComplete,
    error: null,
    createdAt: nowMs - 3 * minute,
    uploadedAt: nowMs - minute,
    endedAt: null,
    actions: tiling.actions,
  };
  return [correctedJob, ...jobs];
}

/** A long list with a few active jobs. */
export function manyJobs(nowMs: number, count: number): readonly JobView[] {
  const states: readonly JobStatus[] = ['complete', 'complete', 'complete', 'data-error', 'cancelled'];
  const [uploadingJob] = busyJobs(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const createdAt = nowMs - index * 7 * minute;
    if (index === 0 && uploadingJob) return { ...uploadingJob, createdAt };
    const status = states[index % states.length] ?? 'complete';
    return makeJob({
      id: `many-${index}`,
      status,
      createdAt,
      uploadedAt: createdAt + minute,
      sendingMs: minute,
      endedAt: createdAt + 3 * minute,
      name: `Kachel 33_${380 + (index % 40)}_${5800 + index}`,
      fileCount: 4 + (index % 9),
      bytesTotal: 1e8 + index * 1e6,
      bytesDone: 1e8 + index * 1e6,
      partsTotal: 14,
      partsDone: 14,
      assetId: 2470000 - index,
      error: status === 'data-error' ? error('data-error') : null,
      actions: status === 'complete' ? ['remove'] : ['start-again', 'remove'],
    });
  });
}

/** A queue behind two uploads, with ended and failed ones. */
export function queuedJobs(nowMs: number, count: number): readonly JobView[] {
  const queueLength = Math.floor(count / 2);
  const [uploadingJob, , tiling] = busyJobs(nowMs);
  const queue = Array.from({ length: queueLength }, (_, index) =>
    makeJob({
      id: `queued-${index + 1}`,
      status: 'queued',
      createdAt: nowMs - (queueLength - index) * minute,
      place: index + 1,
      waitingFor: 'turn',
      name: `Los ${index + 1} – Befliegung`,
      sourceType: ['3D_CAPTURE', 'POINT_CLOUD', 'RASTER_IMAGERY'][index % 3] ?? 'CITYGML',
      expected: { files: 120 + index, bytes: (12.4 + index * 0.7) * 1e9 },
      actions: ['pause', 'cancel'],
    }),
  );
  const endedJobs = manyJobs(nowMs - count * minute, count - queueLength - 1)
    .slice(1)
    .map((job): JobView => (job.status === 'data-error' ? failedAgainst(job) : job));
  return [uploadingJob, tiling, ...queue.toReversed(), ...endedJobs].flatMap((job) => job ?? []);
}

function failedAgainst(job: JobView): JobView {
  const status = 'failed';
  return {
    ...job,
    status,
    error: error('storage-mismatch'),
    actions: ['try-again', 'start-again', 'remove'],
  };
}
