import type { UpdatesView } from '../../../preload/contract.ts';
import type { PolicyState } from '../../policy/policy.ts';
import { refuseUpdates } from '../../policy/refusals.ts';
import type { CallHandlers } from '../bind.ts';

type UpdatesCall = Extract<keyof CallHandlers, `updates.${string}`>;

/** Checks for and installs updates. */
export interface UpdatesParts {
  readonly updates: {
    state(): UpdatesView;
    set(choices: Pick<UpdatesView, 'check' | 'channel'>): UpdatesView;
    checkNow(): void;
    /** Quits, installs and restarts; does nothing during an upload. */
    restart(): void;
    openPage(): Promise<void>;
  };
}

/** Handlers for updates. */
export function updatesHandlers({
  updates,
  policy,
}: UpdatesParts & { readonly policy: PolicyState }): Pick<CallHandlers, UpdatesCall> {
  return {
    'updates.state': async () => updates.state(),
    'updates.set': async (choices) => {
      const refusal = refuseUpdates(policy, choices.channel);
      if (refusal) throw refusal;
      return updates.set(choices);
    },
    'updates.checkNow': async () => updates.checkNow(),
    'updates.restart': async () => updates.restart(),
    'updates.openPage': () => updates.openPage(),
  };
}
