/** The one question that a watched folder asks about many sources. */

import type { WatchQuestionView } from '../../../../preload/contract.ts';
import { type Key, say } from '../../../../strings/say.ts';

const titles: Readonly<Record<WatchQuestionView['why'], Key>> = {
  changed: 'watchQuestion.changed',
  'cannot-compare': 'watchQuestion.cannotCompare',
  'many-changed': 'watchQuestion.changed',
  restored: 'watchQuestion.restored',
};

export interface QuestionWords {
  readonly title: string;
  readonly detail: string;
}

export function questionWords({ why, count }: WatchQuestionView): QuestionWords {
  return {
    title: say(titles[why], { count }),
    detail: say(why === 'restored' ? 'watchQuestion.restoredDetail' : 'watchQuestion.detail'),
  };
}
