import { anybodys, ofOneJob } from '../requests.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';

/** More than the forty tries that completing had before. */
const manyTimes = 45;
const forEver = 'retried indefinitely: all data is in storage';
const noToken = 'the job waits and retries; the user stays signed in';
const lostAnswer = { kind: 'cut-answer', afterBytes: 0 } as const;

/** The access token ends when the job reaches the state, and its refresh gets the foreign response. */
function refreshWhen(state: 'queued' | 'completing' | 'tiling', words: string): Situation {
  const play = async (stage: Stage) => {
    const endTokens = () => {
      stage.control.expireAccessTokens();
      stage.arm(anybodys['token refresh']);
    };
    stage.start({ on: { [state]: endTokens } });
    await stage.complete();
  };
  return { request: 'token refresh', state: words, meanwhile: noToken, alone: true, play };
}

export const serviceSituations: readonly Situation[] = [
  {
    request: 'create asset',
    state: 'creating',
    meanwhile: 'searches for an asset that may exist, then retries',
    alone: true,
    play: async (stage) => {
      stage.arm(anybodys['create asset']);
      stage.start({});
      await stage.complete();
    },
  },
  {
    request: 'list assets',
    state: 'creating, the answer to create asset lost',
    meanwhile: 'retried before anything is created',
    alone: true,
    play: async (stage) => {
      stage.fault(anybodys['create asset'], lostAnswer);
      stage.arm(anybodys['list assets']);
      stage.start({});
      await stage.complete({ orphans: 1 });
    },
  },
  {
    request: 'complete upload',
    state: 'completing',
    meanwhile: forEver,
    alone: false,
    play: async (stage) => {
      // An apparent success is believed, and the request repeated at growing intervals.
      const times = stage.looksLikeSuccess ? 1 : manyTimes;
      stage.start({ on: { uploading: (place) => stage.arm(ofOneJob['complete upload'](place), times) } });
      await stage.complete({ maySilently: stage.looksLikeSuccess });
    },
  },
  {
    request: 'read asset',
    state: 'uploading, before the first byte',
    meanwhile: 'retried before any data is sent',
    // Several tiling assets would be read as a list.
    alone: true,
    play: async (stage) => {
      stage.start({ on: { uploading: (place) => stage.arm(ofOneJob['read asset'](place)) } });
      await stage.complete();
    },
  },
  {
    request: 'read asset',
    state: 'completing, the answer to complete upload lost',
    meanwhile: forEver,
    alone: false,
    play: async (stage) => {
      stage.start({
        on: {
          completing: (place) => {
            stage.fault(ofOneJob['complete upload'](place), lostAnswer);
            stage.arm(ofOneJob['read asset'](place), manyTimes);
          },
        },
      });
      await stage.complete();
    },
  },
  {
    request: 'read asset',
    state: 'tiling',
    meanwhile: forEver,
    // Several tiling assets would be read as a list.
    alone: true,
    play: async (stage) => {
      stage.start({ on: { tiling: (place) => stage.arm(ofOneJob['read asset'](place), manyTimes) } });
      await stage.complete();
    },
  },
  {
    request: 'list assets',
    state: 'tiling, while another asset is tiled',
    meanwhile: forEver,
    alone: true,
    play: async (stage) => {
      const { house, control } = stage;
      const anotherAsset = control.seedAsset({ type: 'TERRAIN', name: 'Another', status: 'IN_PROGRESS' });
      const followedAsset = house.reads.follow(house.accountId, anotherAsset);
      stage.start({ on: { tiling: () => stage.arm(anybodys['list assets'], manyTimes) } });
      await stage.complete();
      followedAsset.end();
    },
  },
  refreshWhen('queued', 'creating, the access token refused'),
  refreshWhen('completing', 'completing, the access token refused'),
  refreshWhen('tiling', 'tiling, the access token refused'),
];
