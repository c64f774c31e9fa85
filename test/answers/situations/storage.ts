import type { FaultMatch } from '../../service/model.ts';
import { ofOneJob, type Place, type RequestOfOneJob } from '../requests.ts';
import type { Situation } from '../situation.ts';
import { type Stage, uploadHalf } from '../stage.ts';

const untilCredentialsEnd = 'retried until the credentials expire; confirmed parts are not sent again';

const situation = (
  request: RequestOfOneJob,
  state: string,
  meanwhile: string,
  play: (stage: Stage, match: (place: Place) => FaultMatch) => Promise<void>,
): Situation => ({
  request,
  state,
  meanwhile,
  alone: false,
  play: (stage) => play(stage, ofOneJob[request]),
});

/** Responds to the first request of its kind during an upload. */
const whileUploading = (request: RequestOfOneJob, large: boolean): Situation =>
  situation(request, 'uploading', untilCredentialsEnd, async (stage, match) => {
    stage.start({ large, on: { uploading: (place) => stage.arm(match(place)) } });
    await stage.complete();
  });

const afterPause = (request: RequestOfOneJob): Situation =>
  situation(request, 'uploading, resumed', untilCredentialsEnd, async (stage, match) => {
    const place = await uploadHalf(stage);
    await stage.act('pause');
    stage.arm(match(place));
    await stage.act('resume');
    await stage.complete();
  });

/** Few, because aborts run in the background. */
const abortTimes = 4;

const whenCancelled = (state: string, pause: boolean): Situation =>
  situation(
    'AbortMultipartUpload',
    state,
    'retried until it succeeds or the credentials expire',
    async (stage, match) => {
      const place = await uploadHalf(stage);
      if (pause) await stage.act('pause');
      stage.arm(match(place), abortTimes);
      await stage.act('cancel');
      if (!(await stage.hasNoOpenUploads()))
        stage.find('parts left behind', 'the upload is still open, and nobody aborts it');
    },
  );

export const storageSituations: readonly Situation[] = [
  whileUploading('PUT', false),
  whileUploading('CreateMultipartUpload', true),
  whileUploading('UploadPart', true),
  afterPause('UploadPart'),
  afterPause('ListParts'),
  whileUploading('CompleteMultipartUpload', true),
  situation(
    'HEAD',
    'uploading, the answer to CompleteMultipartUpload lost',
    untilCredentialsEnd,
    async (stage, match) => {
      stage.start({
        large: true,
        on: {
          uploading: (place) => {
            stage.fault(ofOneJob.CompleteMultipartUpload(place), { kind: 'cut-answer', afterBytes: 0 });
            stage.arm(match(place));
          },
        },
      });
      await stage.complete();
    },
  ),
  whenCancelled('cancelled while uploading', false),
  whenCancelled('cancelled while paused', true),
];
