import type { UpdateStateView } from '../../preload/contract.ts';
import { formatWhen, say } from '../say.ts';

/** The person's next action on an update; null for none. */
type UpdateAction = 'checkNow' | 'restart' | 'openPage' | null;

/** The update's state in a sentence or two. */
export function updateSentence(state: UpdateStateView, nowMs: number): string {
  switch (state.kind) {
    case 'off':
      return say(
        (
          {
            build: 'settings.updates.byBuild',
            administrator: 'settings.updates.byAdministrator',
            person: 'settings.updates.byPerson',
          } as const
        )[state.by],
      );
    case 'idle':
      if (state.checkedAt === null) return say('settings.updates.notYet');
      return say('settings.updates.upToDate', { when: formatWhen(state.checkedAt, nowMs) });
    case 'checking':
      return say('settings.updates.checking');
    case 'available':
      return say('settings.updates.available', { version: state.version });
    case 'by-hand':
      return say('settings.updates.byHand', { version: state.version });
    case 'downloading':
      return say('settings.updates.downloading', { version: state.version, percent: state.percent });
    case 'ready':
      return say(state.canRestart ? 'settings.updates.ready' : 'settings.updates.readyAfterUpload', {
        version: state.version,
      });
    case 'failed':
      return say('settings.updates.failed');
  }
}

export function updateAction(state: UpdateStateView): UpdateAction {
  if (state.kind === 'idle' || state.kind === 'failed') return 'checkNow';
  if (state.kind === 'ready') return state.canRestart ? 'restart' : null;
  if (state.kind === 'by-hand') return state.hasPage ? 'openPage' : 'checkNow';
  return null;
}
