import type { Log } from '../log.ts';
import type { PolicyState } from './policy.ts';
import { policyFileReader, policyPath } from './policy-file.ts';
import { readPolicy } from './read-policy.ts';

const maxAuthorityBytes = 4 * 1024 * 1024;

/** Once per launch: constant during work. */
export async function openPolicy(log: Log): Promise<PolicyState> {
  const policy = await readPolicy(
    policyPath(process.platform),
    policyFileReader(),
    // The file may be anywhere.
    policyFileReader({ levels: Number.MAX_SAFE_INTEGER, maxBytes: maxAuthorityBytes }),
  );
  if (policy.kind === 'unusable') log.error({ error: policy.error }, 'the policy can’t be used');
  else if (policy.kind === 'in-force')
    log.info({ path: policy.path, sets: Object.keys(policy.policy) }, 'there is a policy');
  return policy;
}
