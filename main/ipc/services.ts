import type { ChosenServiceView, ServiceView } from '../../preload/contract.ts';
import { TileliftError } from '../errors.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import {
  refuseClientId,
  refusePlainService,
  refuseService,
  vouchedServices,
  withPlainService,
} from '../policy/refusals.ts';
import { isSurePair } from '../service/address-pair.ts';
import { parseClientId } from '../service/client-id.ts';
import type { ServiceAddress } from '../service/model.ts';
import { checkPlainAddresses } from '../service/plain-http.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { SettingsStore } from '../settings.ts';

/** Returns the administrator's services first, and only those if the policy says so. */
export function presetsUnder(policy: PolicyState, presets: readonly ServiceView[]): readonly ServiceView[] {
  const { services } = policyIn(policy);
  if (!services) return presets;
  const otherPresets = presets.filter(
    ({ baseUrl }) => !services.offered.some((service) => service.baseUrl === baseUrl),
  );
  return services.only ? services.offered : [...services.offered, ...otherPresets];
}

/** Returns presets, then the user's services, with client ids from the settings. */
export function knownServices(
  presets: readonly ServiceView[],
  settings: SettingsStore,
): readonly ServiceView[] {
  const { services, clientIds } = settings.get();
  const ownServices = services.filter(
    (service) => !presets.some((preset) => preset.baseUrl === service.baseUrl),
  );
  return [...presets, ...ownServices].map((service) => {
    const clientId = clientIds[service.baseUrl];
    return clientId === undefined ? service : { ...service, clientId };
  });
}

interface ServiceParts {
  readonly settings: SettingsStore;
  readonly presets: readonly ServiceView[];
  readonly policy: PolicyState;
}

/**
 * Asks once per pair of addresses of different sites, unless a policy vouches for it.
 * @throws TileliftError `service-pair-unconfirmed`, `service-address-invalid`
 */
export async function confirmPair(
  { settings, policy }: ServiceParts,
  enteredService: ChosenServiceView,
): Promise<void> {
  const address = parseServiceAddress(enteredService);
  // No confirmation for services that will be refused anyway.
  if (refuseService(policy, address) || (await isSurePair(address, vouchedServices(policy)))) return;
  const pair = `${address.baseUrl} ${address.authUrl}`;
  const { confirmedPairs } = settings.get();
  if (confirmedPairs.includes(pair)) return;
  if (!enteredService.isPairConfirmed)
    throw new TileliftError('service-pair-unconfirmed', { subject: address.authUrl });
  settings.update({ confirmedPairs: [...confirmedPairs, pair] });
}

/**
 * Asks once before http to another computer, in a system dialog: a page must not allow it itself.
 * @throws TileliftError `service-plain`, `service-not-private`, `service-address-invalid`
 */
export async function confirmPlain(
  { settings, policy }: ServiceParts,
  enteredService: ServiceView,
  ask: (address: ServiceAddress) => Promise<boolean>,
  check = checkPlainAddresses,
): Promise<void> {
  const address = parseServiceAddress(enteredService);
  const refusal = refusePlainService(policy, settings.get(), address);
  if (refusal === null || refuseService(policy, address)) return;
  await check(address);
  if (policyIn(policy).plainServices || !(await ask(address))) throw refusal;
  settings.update({ plainServices: withPlainService(settings.get(), address) });
}

/**
 * Stores the user's service: name, addresses, client id. Returns the addresses for signing in.
 * @throws TileliftError `service-address-invalid`, `client-id-invalid`, or the policy's refusal; stores
 * nothing then
 */
export function rememberService(
  { settings, presets, policy }: ServiceParts,
  enteredService: ServiceView,
): ServiceAddress {
  const address = parseServiceAddress(enteredService);
  const clientId = parseClientId(enteredService.clientId ?? '');
  const refusal = refuseService(policy, address) ?? refuseClientId(policy, address.baseUrl, clientId);
  if (refusal) throw refusal;
  const { services, clientIds } = settings.get();
  const { [address.baseUrl]: _before, ...otherIds } = clientIds;
  const isPreset = presets.some((preset) => preset.baseUrl === address.baseUrl);
  const otherServices = services.filter((service) => service.baseUrl !== address.baseUrl);
  settings.update({
    services: isPreset ? services : [...otherServices, { name: enteredService.name, ...address }],
    clientIds: clientId === null ? otherIds : { ...otherIds, [address.baseUrl]: clientId },
  });
  return address;
}
