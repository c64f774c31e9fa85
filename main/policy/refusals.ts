import { TileliftError } from '../errors.ts';
import { refuseMixedPair, servicePresets } from '../service/address-pair.ts';
import type { ServiceAddress } from '../service/model.ts';
import { isPlainElsewhere } from '../service/service-address.ts';
import { type PolicyState, policyIn } from './policy.ts';

/** The actions that a policy forbids. Each function returns null if the action is allowed. */

/** Services that the administrator or Tilelift trusts. */
export function vouchedServices(state: PolicyState): readonly ServiceAddress[] {
  return [...(policyIn(state).services?.offered ?? []), ...servicePresets];
}

/**
 * A trusted sign-in page requires its own API address. Under a policy both must be the administrator's: a
 * foreign page would receive the password.
 */
export function refuseService(
  state: PolicyState,
  { baseUrl, authUrl }: ServiceAddress,
): TileliftError | null {
  if (state.kind === 'unusable') return state.error;
  const { services } = policyIn(state);
  if (!services?.only) return refuseMixedPair({ baseUrl, authUrl }, vouchedServices(state));
  const isOffered = services.offered.some(
    (service) => service.baseUrl === baseUrl && service.authUrl === authUrl,
  );
  return isOffered ? null : new TileliftError('service-not-allowed', { subject: baseUrl });
}

/** Refuses http to other computers unless the administrator or the user allows it. */
export function refusePlainService(
  state: PolicyState,
  { plainServices }: { readonly plainServices: readonly string[] },
  { baseUrl, authUrl }: ServiceAddress,
): TileliftError | null {
  const subject = [baseUrl, authUrl].find(isPlainElsewhere);
  if (subject === undefined) return null;
  const isAllowed = policyIn(state).plainServices?.allowed ?? plainServices.includes(`${baseUrl} ${authUrl}`);
  return isAllowed ? null : new TileliftError('service-plain', { subject });
}

/** Returns the setting with this service allowed. */
export function withPlainService(
  { plainServices }: { readonly plainServices: readonly string[] },
  { baseUrl, authUrl }: ServiceAddress,
): readonly string[] {
  return [...new Set([...plainServices, `${baseUrl} ${authUrl}`])];
}

/** The policy may contain the ID. */
export function refuseClientId(
  state: PolicyState,
  baseUrl: string,
  clientId: string | null,
): TileliftError | null {
  const offeredService = policyIn(state).services?.offered.find((service) => service.baseUrl === baseUrl);
  const isTheirs = offeredService?.clientId === undefined || offeredService.clientId === clientId;
  return isTheirs ? null : setByPolicy(state);
}

/** Refuses changing the file of certificate authorities. */
export function refuseCaFile(state: PolicyState): TileliftError | null {
  return policyIn(state).caFile === undefined ? null : setByPolicy(state);
}

/** False if the administrator's intent is unknown. */
export function updatesAreAllowed(state: PolicyState): boolean {
  return state.kind !== 'unusable' && policyIn(state).updates?.allowed !== false;
}

/** Refuses update settings that contradict the policy. */
export function refuseUpdates(state: PolicyState, channel: string): TileliftError | null {
  const { updates } = policyIn(state);
  const isTheirs = updates?.channel === undefined || updates.channel === channel;
  return updatesAreAllowed(state) && isTheirs ? null : setByPolicy(state);
}

export function setByPolicy(state: PolicyState): TileliftError {
  return new TileliftError('set-by-policy', 'path' in state ? { subject: state.path } : {});
}
