import type { NamedService, ServiceAddress } from '../../shared/services.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import { servicePresets } from '../service/address-pair.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { SettingsStore } from '../settings.ts';
import type { Environment } from './process.ts';
import { UsageError } from './usage-error.ts';

/** The administrator's first. */
function knownServices(
  settings: SettingsStore,
  policy: PolicyState,
  env: Environment,
): readonly NamedService[] {
  const offeredServices = policyIn(policy).services?.offered ?? [];
  const { TILELIFT_SERVICE_API: baseUrl, TILELIFT_SERVICE_SIGN_IN: authUrl } = env;
  const fromEnvironment = baseUrl
    ? [{ name: baseUrl, ...parseServiceAddress({ baseUrl, authUrl: authUrl || baseUrl }) }]
    : [];
  return [...offeredServices, ...fromEnvironment, ...settings.get().services, ...servicePresets];
}

/**
 * `addresses`: API and sign-in address, or one of a known service; default: the environment's or the last.
 * `mustOpenPage`: a browser needs the sign-in address.
 * @throws UsageError if unknown, TileliftError `service-address-invalid`
 */
export function chooseService(
  addresses: readonly string[],
  sources: { readonly settings: SettingsStore; readonly policy: PolicyState; readonly env: Environment },
  mustOpenPage: boolean,
): ServiceAddress {
  const { settings, policy, env } = sources;
  const services = knownServices(settings, policy, env);
  const [firstAddress, secondAddress, ...furtherAddresses] = addresses;
  if (furtherAddresses.length > 0) throw new UsageError({ key: 'cli.service.tooMany' });
  if (firstAddress !== undefined && secondAddress !== undefined)
    return parseServiceAddress({ baseUrl: firstAddress, authUrl: secondAddress });
  if (firstAddress === undefined) {
    const { currentService } = settings.get();
    const offeredServices = policyIn(policy).services?.offered ?? [];
    const defaultService =
      (env.TILELIFT_SERVICE_API ? services[offeredServices.length] : undefined) ??
      services.find(({ baseUrl }) => baseUrl === currentService) ??
      offeredServices[0];
    if (!defaultService) throw new UsageError({ key: 'cli.service.missing' });
    return { baseUrl: defaultService.baseUrl, authUrl: defaultService.authUrl };
  }
  const enteredAddress = parseServiceAddress({ baseUrl: firstAddress, authUrl: firstAddress });
  const match = services.find(({ baseUrl, authUrl }) => [baseUrl, authUrl].includes(enteredAddress.baseUrl));
  if (match) return { baseUrl: match.baseUrl, authUrl: match.authUrl };
  if (mustOpenPage)
    throw new UsageError({ key: 'cli.service.signInPage', values: { address: firstAddress } });
  return enteredAddress;
}

/** Stores a service's addresses for later commands. */
export function keepService(settings: SettingsStore, address: ServiceAddress): void {
  const { services } = settings.get();
  if ([...services, ...servicePresets].some(({ baseUrl }) => baseUrl === address.baseUrl)) return;
  settings.update({ services: [...services, { name: new URL(address.baseUrl).host, ...address }] });
}
