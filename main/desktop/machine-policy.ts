import type { PolicyState } from '../policy/policy.ts';
import { errorAdvice, errorMessage } from '../say.ts';
import type { Notify } from './notices/notify.ts';

/** Without a window nobody sees why nothing continues. */
export function notifyOfUnusable(policy: PolicyState, notify: Notify): void {
  if (policy.kind !== 'unusable') return;
  notify({ title: errorMessage(policy.error), body: errorAdvice(policy.error) });
}
