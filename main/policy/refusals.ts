import { TileliftError } from '../errors.ts';
import { refuseMixedPair, servicePresets } from '../service/address-pair.ts';
import type { ServiceAddress } from '../service/model.ts';
import { type PolicyState, policyIn } from './policy.ts';

/**
 * What a policy forbids a person, and what is refused without one: the reason, or null where it is allowed.
 */

/** Services that someone vouches for: the administrator, or Tilelift itself. */
export function vouchedServices(state: PolicyState): readonly ServiceAddress[] {
  return [...(policyIn(state).services?.offered ?? []), ...servicePresets];
}

/**
 * Using a service: to sign in, or with an account that is kept. The sign-in page of a known one goes with its
 * own API address only. Under a policy both addresses must be the administrator's: another sign-in page would
 * be given the person's password.
 */
export function refuseService(
  state: PolicyState,
  { baseUrl, authUrl }: ServiceAddress,
): TileliftError | null {
  if (state.kind === 'unusable') return state.error;
  const { services } = policyIn(state);
  if (!services?.only) return refuseMixedPair({ baseUrl, authUrl }, vouchedServices(state));
  const isOffered = services.offered.some((one) => one.baseUrl === baseUrl && one.authUrl === authUrl);
  return isOffered ? null : new TileliftError('service-not-allowed', { subject: baseUrl });
}

/** Giving a client id of one's own to a service for which the administrator names one. */
export function refuseClientId(
  state: PolicyState,
  baseUrl: string,
  clientId: string | null,
): TileliftError | null {
  const offered = policyIn(state).services?.offered.find((one) => one.baseUrl === baseUrl);
  const isTheirs = offered?.clientId === undefined || offered.clientId === clientId;
  return isTheirs ? null : setByPolicy(state);
}

/** Changing the file of certificate authorities. */
export function refuseCaFile(state: PolicyState): TileliftError | null {
  return policyIn(state).caFile === undefined ? null : setByPolicy(state);
}

/** Whether Tilelift may look for updates of itself: not where the administrator's wish is unknown. */
export function updatesAreAllowed(state: PolicyState): boolean {
  return state.kind !== 'unusable' && policyIn(state).updates?.allowed !== false;
}

/** Setting updates otherwise than the administrator has. */
export function refuseUpdates(state: PolicyState, channel: string): TileliftError | null {
  const { updates } = policyIn(state);
  const isTheirs = updates?.channel === undefined || updates.channel === channel;
  return updatesAreAllowed(state) && isTheirs ? null : setByPolicy(state);
}

/** Changing a setting that the policy has set. */
export function setByPolicy(state: PolicyState): TileliftError {
  return new TileliftError('set-by-policy', 'path' in state ? { subject: state.path } : {});
}
