import type { Log } from '../log.ts';
import type { PolicyState } from '../policy/policy.ts';
import { policyFileReader, policyPath } from '../policy/policy-file.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { errorAdvice, errorMessage } from '../say.ts';
import type { Notify } from './notices/notify.ts';

const maxAuthorityBytes = 4 * 1024 * 1024;

/** The policy of this computer, once for each start, so that nothing changes under running work. */
export async function openPolicy(log: Log): Promise<PolicyState> {
  const policy = await readPolicy(
    policyPath(process.platform),
    policyFileReader(),
    // It may be anywhere: every folder above it counts.
    policyFileReader({ levels: Number.MAX_SAFE_INTEGER, maxBytes: maxAuthorityBytes }),
  );
  if (policy.kind === 'unusable') log.error({ error: policy.error }, 'the policy can’t be used');
  else if (policy.kind === 'in-force')
    log.info({ path: policy.path, sets: Object.keys(policy.policy) }, 'there is a policy');
  return policy;
}

/** Without a window nobody sees why nothing continues. */
export function notifyOfUnusable(policy: PolicyState, notify: Notify): void {
  if (policy.kind !== 'unusable') return;
  notify({ title: errorMessage(policy.error), body: errorAdvice(policy.error) });
}
