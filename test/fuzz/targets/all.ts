import type { Target } from '../target.ts';
import { answerTargets } from './answers.ts';
import { assetAnswers } from './asset-answers.ts';
import { broughtTargets } from './brought-along.ts';
import { callTargets } from './calls.ts';
import { checksumLists } from './checksum-lists.ts';
import { copiedTargets } from './copied.ts';
import { diagnostics } from './diagnostics.ts';
import { endTargets } from './ends.ts';
import { headTargets } from './heads.ts';
import { keptTargets } from './kept.ts';
import { diskTargets } from './on-disk.ts';
import { signInTargets } from './sign-in.ts';
import { socketTargets } from './socket.ts';
import { thumbnailTargets } from './thumbnails.ts';
import { updateTargets } from './update-feed.ts';
import { watchedTargets } from './watched.ts';

export const targets: readonly Target[] = [
  ...signInTargets,
  ...answerTargets,
  assetAnswers,
  ...diskTargets,
  ...headTargets,
  ...endTargets,
  ...thumbnailTargets,
  ...keptTargets,
  ...updateTargets,
  ...watchedTargets,
  ...broughtTargets,
  ...callTargets,
  ...socketTargets,
  ...copiedTargets,
  diagnostics,
  checksumLists,
];
