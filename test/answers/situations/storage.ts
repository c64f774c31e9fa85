import type { FaultMatch } from '../../service/model.ts';
import type { RequestName, Situation } from '../situations.ts';
import type { Place, Stage } from '../stage.ts';

/** Requests to storage. */

const matches = {
  PUT: ({ objects }) => ({ room: 'storage', method: 'PUT', path: objects }),
  CreateMultipartUpload: ({ objects }) => ({
    room: 'storage',
    method: 'POST',
    path: `${objects}.*[?&]uploads`,
  }),
  UploadPart: ({ objects }) => ({ room: 'storage', method: 'PUT', path: `${objects}.*partNumber=2` }),
  ListParts: ({ objects }) => ({ room: 'storage', method: 'GET', path: `${objects}.*uploadId=` }),
  CompleteMultipartUpload: ({ objects }) => ({
    room: 'storage',
    method: 'POST',
    path: `${objects}.*uploadId=`,
  }),
  HEAD: ({ objects }) => ({ room: 'storage', method: 'HEAD', path: objects }),
  AbortMultipartUpload: ({ objects }) => ({ room: 'storage', method: 'DELETE', path: objects }),
} as const satisfies Partial<Record<RequestName, (place: Place) => FaultMatch>>;
type StorageRequest = keyof typeof matches;

const situation = (
  request: StorageRequest,
  state: string,
  play: (stage: Stage, match: (place: Place) => FaultMatch) => Promise<void>,
): Situation => ({ request, state, alone: false, play: (stage) => play(stage, matches[request]) });

/** Meets the foreign answer at the first request of its kind, while uploading. */
const whileUploading = (request: StorageRequest, large: boolean): Situation =>
  situation(request, 'uploading', async (stage, match) => {
    stage.start({ large, on: { uploading: (place) => stage.arm(match(place)) } });
    await stage.complete();
  });

/** The first part is confirmed, the second is on its way. */
async function uploadHalf(stage: Stage): Promise<Place> {
  let where: Place | null = null;
  stage.start({
    large: true,
    on: {
      uploading: (place) => {
        where = place;
        stage.fault(matches.UploadPart(place), { kind: 'stall' });
      },
    },
  });
  await stage.until('its first part', ({ partsDone }) => partsDone === 1);
  await stage.metFault();
  if (!where) throw new Error('the job sent a part before it was uploading');
  return where;
}

const afterPause = (request: StorageRequest): Situation =>
  situation(request, 'uploading, taken up again', async (stage, match) => {
    const place = await uploadHalf(stage);
    await stage.act('pause');
    stage.arm(match(place));
    await stage.act('resume');
    await stage.complete();
  });

/** Few: nobody waits for it. */
const abortTimes = 4;

const whenCancelled = (state: string, pause: boolean): Situation =>
  situation('AbortMultipartUpload', state, async (stage, match) => {
    const place = await uploadHalf(stage);
    if (pause) await stage.act('pause');
    stage.arm(match(place), abortTimes);
    await stage.act('cancel');
    if (!(await stage.hasNoOpenUploads()))
      stage.find('parts left behind', 'the upload is still open, and nobody aborts it');
  });

export const storageSituations: readonly Situation[] = [
  whileUploading('PUT', false),
  whileUploading('CreateMultipartUpload', true),
  whileUploading('UploadPart', true),
  afterPause('UploadPart'),
  afterPause('ListParts'),
  whileUploading('CompleteMultipartUpload', true),
  situation('HEAD', 'uploading, the answer to CompleteMultipartUpload lost', async (stage, match) => {
    stage.start({
      large: true,
      on: {
        uploading: (place) => {
          stage.fault(matches.CompleteMultipartUpload(place), { kind: 'cut-answer', afterBytes: 0 });
          stage.arm(match(place));
        },
      },
    });
    await stage.complete();
  }),
  whenCancelled('cancelled while uploading', false),
  whenCancelled('cancelled while paused', true),
];
