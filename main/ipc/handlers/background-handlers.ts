import type { BackgroundChoices, BackgroundView } from '../../../preload/contract.ts';
import type { CallHandlers } from '../bind.ts';

type BackgroundCall = Extract<keyof CallHandlers, `background.${string}`>;

/** Settings for work without a window. */
export interface BackgroundParts {
  readonly background: {
    state(): BackgroundView;
    /** Throws `login-item-unavailable`. */
    set(choices: BackgroundChoices): BackgroundView;
  };
}

/** Handlers for work without a window. */
export function backgroundHandlers({ background }: BackgroundParts): Pick<CallHandlers, BackgroundCall> {
  return {
    'background.state': async () => background.state(),
    'background.set': async (choices) => background.set(choices),
  };
}
