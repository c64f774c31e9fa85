import type { ServiceView } from '../../preload/contract.ts';
import { parseClientId } from '../account/client-id.ts';
import type { ServiceAddress } from '../service/model.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { SettingsStore } from '../settings.ts';

/** The services to offer: presets, then the person's own, each with the client id that the settings name for it. */
export function knownServices(
  presets: readonly ServiceView[],
  settings: SettingsStore,
): readonly ServiceView[] {
  const { services, clientIds } = settings.get();
  const own = services.filter((one) => !presets.some((preset) => preset.baseUrl === one.baseUrl));
  return [...presets, ...own].map((service) => {
    const clientId = clientIds[service.baseUrl];
    return clientId === undefined ? service : { ...service, clientId };
  });
}

/**
 * Keeps what the person gave for a service: name, addresses, client id. Gives the addresses to sign in to.
 * @throws TileliftError `service-address-invalid`, `client-id-invalid`; nothing is kept then
 */
export function rememberService(
  settings: SettingsStore,
  presets: readonly ServiceView[],
  typed: ServiceView,
): ServiceAddress {
  const address = parseServiceAddress(typed);
  const clientId = parseClientId(typed.clientId ?? '');
  const { services, clientIds } = settings.get();
  const { [address.baseUrl]: _before, ...otherIds } = clientIds;
  const isPreset = presets.some((preset) => preset.baseUrl === address.baseUrl);
  const others = services.filter((one) => one.baseUrl !== address.baseUrl);
  settings.update({
    services: isPreset ? services : [...others, { name: typed.name, ...address }],
    clientIds: clientId === null ? otherIds : { ...otherIds, [address.baseUrl]: clientId },
  });
  return address;
}
