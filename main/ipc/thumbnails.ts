import type { ThumbnailRequest } from '../../preload/contract.ts';
import { hasEnded } from '../../shared/job-status.ts';
import { within } from '../abandoned-work.ts';
import type { Tilelift } from '../app.ts';
import type { InspectionThread } from '../inspect/headers/inspection-thread.ts';
import { chooseFile } from '../inspect/thumbnails/choose-file.ts';
import { type EncodedPicture, limits, type Pixels } from '../inspect/thumbnails/picture.ts';
import { encodePng } from '../inspect/thumbnails/png.ts';

/** Decodes pictures in a sandbox; null if that fails or takes too long. */
export type DecodePicture = (picture: EncodedPicture) => Promise<Pixels | null>;

type FilesOfSheet = Exclude<ThumbnailRequest, { readonly jobId: string } | { readonly assetId: number }>;

interface ThumbnailParts {
  readonly tilelift: Pick<Tilelift, 'jobs' | 'inspector' | 'thumbnailFiles'>;
  readonly decode: DecodePicture;
  readonly openThread: () => InspectionThread;
  /** The current account's id, or null. */
  readonly accountId: () => string | null;
}

/** Draws and stores thumbnails, one at a time. */
export interface Thumbnails {
  /** Returns a PNG as a data URL; null if there is none. Never throws. */
  readonly of: (request: ThumbnailRequest) => Promise<string | null>;
  /** Draws that of a new job from files of the sheet, because its own aren't listed yet. */
  readonly adopt: (jobId: string, files: FilesOfSheet) => void;
  /** Replaces those of this computer's uploads of an asset. */
  readonly replace: (accountId: string, assetId: number, png: Uint8Array) => Promise<void>;
  readonly stop: () => void;
}

/** Beyond the time that the thread keeps itself, ms. */
const graceMs = 1_000;
/** Each leaves a thread behind that waits for a drive. */
const maxStalls = 4;
const idleMs = 10_000;

export function createThumbnails({ tilelift, decode, openThread, accountId }: ThumbnailParts): Thumbnails {
  const { jobs, inspector, thumbnailFiles } = tilelift;
  const running = new Map<string, Promise<Uint8Array | null>>();
  /** Jobs without one. */
  const without = new Set<string>();
  /** Jobs whose files were listed. */
  const planned = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();
  let thread: InspectionThread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let stalls = 0;

  const close = () => {
    thread?.close();
    thread = null;
  };
  const drawNow = async (path: string): Promise<Uint8Array | null> => {
    if (stalls >= maxStalls) return null;
    clearTimeout(idle);
    thread ??= openThread();
    const drawn = await within(thread.ask({ kind: 'thumbnail', path }), limits.ms + graceMs);
    if (drawn === undefined) {
      stalls += 1;
      close();
      return null;
    }
    idle = setTimeout(close, idleMs).unref();
    if (drawn === null || drawn instanceof Uint8Array) return drawn;
    const pixels = await decode(drawn);
    return pixels && encodePng(pixels);
  };
  const draw = (path: string) => {
    const drawn = queue.then(() => drawNow(path)).catch(() => null);
    queue = drawn;
    return drawn;
  };
  const drawSheet = async (files: FilesOfSheet) => {
    const path = await inspector.ask('fileToShow', files);
    return path === null ? null : draw(path);
  };
  const store = async (jobId: string, png: Uint8Array | null) => {
    // The user may have removed the job.
    if (png && jobs.get(jobId)) await thumbnailFiles.write(jobId, png).catch(() => {});
    return png;
  };
  const run = (jobId: string, work: () => Promise<Uint8Array | null>) => {
    const runningDraw = running.get(jobId);
    if (runningDraw) return runningDraw;
    const started = work()
      .catch(() => null)
      .finally(() => running.delete(jobId));
    running.set(jobId, started);
    return started;
  };
  const ofJob = (jobId: string) =>
    run(jobId, async () => {
      const job = jobs.get(jobId);
      if (!job || without.has(jobId)) return null;
      const stored = await thumbnailFiles.read(jobId);
      if (stored) return stored;
      const files = jobs.firstFiles(jobId);
      if (files.length === 0) return null;
      const file = chooseFile(job.sourceType, files);
      const png = file && (await draw(file.path));
      if (!png) without.add(jobId);
      return store(jobId, png);
    });
  const ofAsset = async (assetId: number) => {
    const account = accountId();
    const job =
      account === null ? undefined : jobs.ofAsset(account, assetId).find(({ isListed }) => isListed);
    return job ? ofJob(job.id) : null;
  };
  // A rule may move the source after its upload, also while no window is open.
  const stopFollowing = jobs.onChange((jobId) => {
    if (planned.has(jobId)) return;
    const job = jobs.get(jobId);
    if (!job || job.fileCount === null || hasEnded(job.status)) return;
    planned.add(jobId);
    void ofJob(jobId);
  });
  return {
    of: async (request) => {
      const drawn =
        'jobId' in request
          ? ofJob(request.jobId)
          : 'assetId' in request
            ? ofAsset(request.assetId)
            : drawSheet(request);
      const png = await drawn.catch(() => null);
      return png && `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
    },
    adopt: (jobId, files) => {
      void run(jobId, async () => store(jobId, await drawSheet(files)));
    },
    replace: async (account, assetId, png) => {
      for (const { id } of jobs.ofAsset(account, assetId)) {
        without.delete(id);
        await store(id, png);
      }
    },
    stop: () => {
      stopFollowing();
      clearTimeout(idle);
      close();
    },
  };
}
