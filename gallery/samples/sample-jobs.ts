import type { ErrorRecord, JobStatus, JobView } from '../../preload/contract.ts';

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

export function busyJobs(nowMs: number): readonly JobView[] {
  const minutesAgo = (minutes: number) => nowMs - minutes * minute;
  return [
    makeJob({
      id: 'harbour',
      status: 'uploading',
      createdAt: minutesAgo(9),
      name: 'Hafen Süd 2026-11 – Befliegung',
      sourceType: '3D_CAPTURE',
      paths: ['/mnt/survey/2026/11/20/flights/harbour-south/2026-11-20_Hafen_Sued/export/reality-mesh'],
      fileCount: 1284,
      bytesTotal: 18.6e9,
      bytesDone: 11.7e9,
      bytesOnWire: 6.4e7,
      bytesPerSecond: 41.8e6,
      secondsLeft: 167,
      partsTotal: 1784,
      partsDone: 1121,
      partsOnWire: 8,
      partsSentAgain: 3,
      concurrency: 12,
      credentialsEndAt: nowMs + 51 * minute + 20_000,
      assetId: 2481907,
      assetStatus: 'AWAITING_FILES',
      actions: ['pause', 'cancel'],
    }),
    makeJob({
      id: 'creating',
      status: 'creating',
      createdAt: minutesAgo(9.5),
      name: 'Bauvorhaben Kontorhaus mit einem recht langen Namen, Fassung 7',
      sourceType: 'BIM_CAD',
      actions: ['cancel'],
    }),
    makeJob({
      id: 'offline',
      status: 'uploading',
      createdAt: minutesAgo(10),
      name: 'Ortho 2026 Ost',
      assetType: 'IMAGERY',
      sourceType: 'RASTER_IMAGERY',
      fileCount: 88,
      bytesTotal: 4.1e9,
      bytesDone: 1.2e9,
      partsTotal: 120,
      partsDone: 36,
      credentialsEndAt: nowMs + 50 * minute,
      assetId: 2481905,
      waitingFor: 'network',
      error: error('storage-unreachable', 's3.example.com'),
      nextTryAt: nowMs + 4_000,
      actions: ['try-now', 'pause', 'cancel'],
    }),
    makeJob({
      id: 'completing',
      status: 'completing',
      createdAt: minutesAgo(11),
      name: 'Kirche St. Marien',
      sourceType: '3D_MODEL',
      fileCount: 41,
      bytesTotal: 812e6,
      bytesDone: 812e6,
      partsTotal: 97,
      partsDone: 97,
      uploadedAt: minutesAgo(1),
      assetId: 2481901,
      actions: [],
    }),
    makeJob({
      id: 'tiling',
      status: 'tiling',
      createdAt: minutesAgo(60),
      name: 'LoD2 Altstadt',
      fileCount: 36,
      bytesTotal: 2.1e9,
      bytesDone: 2.1e9,
      partsTotal: 251,
      partsDone: 251,
      uploadedAt: minutesAgo(20),
      assetId: 2481899,
      assetStatus: 'IN_PROGRESS',
      percentComplete: 38,
      actions: ['remove'],
    }),
    makeJob({
      id: 'odd',
      status: 'tiling',
      createdAt: minutesAgo(61),
      name: 'Geländemodell Elbe',
      assetType: 'TERRAIN',
      sourceType: 'TERRAIN_DATABASE',
      fileCount: 1,
      bytesTotal: 7.3e9,
      bytesDone: 7.3e9,
      partsTotal: 871,
      partsDone: 871,
      uploadedAt: minutesAgo(30),
      assetId: 2481898,
      assetStatus: 'REBALANCING',
      percentComplete: 71.6,
      progressMessage: 'Moving to another pool',
      actions: ['stop-following', 'cancel'],
    }),
    makeJob({
      id: 'queued',
      status: 'queued',
      createdAt: minutesAgo(62),
      name: 'Punktwolke Tunnel Nord',
      sourceType: 'POINT_CLOUD',
      fileCount: 12,
      bytesTotal: 9.9e9,
      actions: ['pause', 'cancel'],
    }),
    makeJob({
      id: 'data',
      status: 'data-error',
      createdAt: minutesAgo(90),
      endedAt: minutesAgo(70),
      name: 'DGM Bergbaufolge Nord',
      assetType: 'TERRAIN',
      sourceType: 'RASTER_TERRAIN',
      fileCount: 412,
      bytesTotal: 6.4e9,
      bytesDone: 6.4e9,
      partsTotal: 900,
      partsDone: 900,
      uploadedAt: minutesAgo(80),
      assetId: 2481890,
      assetStatus: 'DATA_ERROR',
      error: error('data-error', null, { message: 'No coordinate reference system in 3 rasters' }),
      actions: ['start-again', 'remove'],
    }),
    makeJob({
      id: 'paused',
      status: 'paused',
      createdAt: minutesAgo(38),
      name: 'ALS Block 7 (laz)',
      sourceType: 'POINT_CLOUD',
      fileCount: 88,
      bytesTotal: 41e9,
      bytesDone: 8.6e9,
      partsTotal: 4888,
      partsDone: 1025,
      credentialsEndAt: nowMs + 22 * minute,
      assetId: 2481880,
      actions: ['resume', 'cancel'],
    }),
    makeJob({
      id: 'complete',
      status: 'complete',
      createdAt: minutesAgo(160),
      uploadedAt: minutesAgo(153.8),
      sendingMs: 6.2 * minute,
      endedAt: minutesAgo(105),
      name: 'Orthophoto 20 cm – Kreis Ost',
      assetType: 'IMAGERY',
      sourceType: 'RASTER_IMAGERY',
      fileCount: 240,
      bytesTotal: 12.9e9,
      bytesDone: 12.9e9,
      partsTotal: 1600,
      partsDone: 1600,
      assetId: 2481655,
      assetStatus: 'COMPLETE',
      percentComplete: 100,
      actions: ['remove'],
    }),
    makeJob({
      id: 'expired',
      status: 'expired',
      createdAt: minutesAgo(1500),
      endedAt: minutesAgo(1440),
      name: 'Photogrammetrie Talsperre',
      sourceType: '3D_CAPTURE',
      fileCount: 20210,
      bytesTotal: 212e9,
      bytesDone: 144e9,
      partsTotal: 25272,
      partsDone: 17166,
      assetId: 2480012,
      error: error('credentials-expired'),
      actions: ['start-again', 'remove'],
    }),
    makeJob({
      id: 'failed',
      status: 'failed',
      createdAt: minutesAgo(1600),
      endedAt: minutesAgo(1590),
      name: 'Werft Halle 3',
      sourceType: 'IFC_CUSTOM',
      fileCount: 3,
      bytesTotal: 812e6,
      bytesDone: 91e6,
      partsTotal: 97,
      partsDone: 11,
      assetId: 2480001,
      error: error('storage-denied', 'sources/2480001/halle1.ifc', {
        status: 403,
        code: 'AccessDenied',
        message: 'Access Denied',
      }),
      actions: ['try-again', 'start-again', 'remove'],
    }),
    makeJob({
      id: 'tiling-error',
      status: 'error',
      createdAt: minutesAgo(1700),
      endedAt: minutesAgo(1650),
      name: 'Campus Nord',
      sourceType: 'KML',
      fileCount: 2,
      bytesTotal: 9.1e6,
      bytesDone: 9.1e6,
      partsTotal: 2,
      partsDone: 2,
      uploadedAt: minutesAgo(1699),
      assetId: 2479999,
      assetStatus: 'ERROR',
      error: error('tiling-error'),
      actions: ['start-again', 'remove'],
    }),
    makeJob({
      id: 'cancelled',
      status: 'cancelled',
      createdAt: minutesAgo(1800),
      endedAt: minutesAgo(1799),
      name: 'Test',
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
  const failed = jobs.find(({ status }) => status === 'data-error');
  const tiling = jobs.find(({ status }) => status === 'tiling');
  if (!failed || !tiling) return jobs;
  const corrected: JobView = {
    ...failed,
    id: 'corrected',
    predecessor: failed.id,
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
  return [corrected, ...jobs];
}

/** A long list with a few active jobs. */
export function manyJobs(nowMs: number, count: number): readonly JobView[] {
  const states: readonly JobStatus[] = ['complete', 'complete', 'complete', 'data-error', 'cancelled'];
  const [uploading] = busyJobs(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const createdAt = nowMs - index * 7 * minute;
    if (index === 0 && uploading) return { ...uploading, createdAt };
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
  const [uploading, , tiling] = busyJobs(nowMs);
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
  return [uploading, tiling, ...queue.toReversed(), ...endedJobs].flatMap((job) => job ?? []);
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
