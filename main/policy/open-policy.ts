import { TileliftError } from '../errors.ts';
import type { Log } from '../log.ts';
import { managedPolicy } from './managed-policy.ts';
import type { PolicyState } from './policy.ts';
import { policyFileReader, policyPath } from './policy-file.ts';
import { readPolicy } from './read-policy.ts';

const maxAuthorityBytes = 4 * 1024 * 1024;

/** The place of a managed policy that can't be read. */
const management = 'device management';

/** Once per launch: constant during work. A managed policy replaces the file. */
export async function openPolicy(log: Log, managed = managedPolicy): Promise<PolicyState> {
  const policy = await policyOf(process.platform, managed);
  if (policy.kind === 'unusable') log.error({ error: policy.error }, 'the policy can’t be used');
  else if (policy.kind === 'in-force')
    log.info({ path: policy.path, sets: Object.keys(policy.policy) }, 'there is a policy');
  return policy;
}

async function policyOf(platform: NodeJS.Platform, managed: typeof managedPolicy): Promise<PolicyState> {
  // The file may be anywhere.
  const authorities = policyFileReader({ levels: Number.MAX_SAFE_INTEGER, maxBytes: maxAuthorityBytes });
  try {
    const policyFound = await managed(platform);
    if (policyFound === null) return await readPolicy(policyPath(platform), policyFileReader(), authorities);
    const { path, text } = policyFound;
    return await readPolicy(path, async () => ({ text, isProtected: true }), authorities);
  } catch (cause) {
    const error = new TileliftError('policy-unreadable', { subject: management, cause });
    return { kind: 'unusable', path: management, error };
  }
}
