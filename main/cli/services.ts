import type { NamedService, ServiceAddress } from '../../shared/services.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import { servicePresets } from '../service/address-pair.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { SettingsStore } from '../settings.ts';
import type { Environment } from './process.ts';
import { UsageError } from './usage-error.ts';

/** The services that are known by name or were used before, the administrator's first. */
function knownServices(
  settings: SettingsStore,
  policy: PolicyState,
  env: Environment,
): readonly NamedService[] {
  const offered = policyIn(policy).services?.offered ?? [];
  const { TILELIFT_SERVICE_API: baseUrl, TILELIFT_SERVICE_SIGN_IN: authUrl } = env;
  const named = baseUrl
    ? [{ name: baseUrl, ...parseServiceAddress({ baseUrl, authUrl: authUrl || baseUrl }) }]
    : [];
  return [...offered, ...named, ...settings.get().services, ...servicePresets];
}

/**
 * The service to sign in to. `given`: its API address and its sign-in address, or one of them where it is
 * known; none for the one of the environment or of the last sign-in. `mustOpenPage`: the sign-in address has
 * to be known, since a browser goes there.
 * @throws UsageError where it is not known, TileliftError `service-address-invalid`
 */
export function chooseService(
  given: readonly string[],
  from: { readonly settings: SettingsStore; readonly policy: PolicyState; readonly env: Environment },
  mustOpenPage: boolean,
): ServiceAddress {
  const { settings, policy, env } = from;
  const known = knownServices(settings, policy, env);
  const [first, second, ...more] = given;
  if (more.length > 0) throw new UsageError({ key: 'cli.service.tooMany' });
  if (first !== undefined && second !== undefined)
    return parseServiceAddress({ baseUrl: first, authUrl: second });
  if (first === undefined) {
    const { currentService } = settings.get();
    const own = policyIn(policy).services?.offered ?? [];
    const found =
      (env.TILELIFT_SERVICE_API ? known[own.length] : undefined) ??
      known.find(({ baseUrl }) => baseUrl === currentService) ??
      own[0];
    if (!found) throw new UsageError({ key: 'cli.service.missing' });
    return { baseUrl: found.baseUrl, authUrl: found.authUrl };
  }
  const typed = parseServiceAddress({ baseUrl: first, authUrl: first });
  const found = known.find(({ baseUrl, authUrl }) => [baseUrl, authUrl].includes(typed.baseUrl));
  if (found) return { baseUrl: found.baseUrl, authUrl: found.authUrl };
  if (mustOpenPage) throw new UsageError({ key: 'cli.service.signInPage', values: { address: first } });
  return typed;
}

/** Remembers a service that was signed in to, so that later commands know both of its addresses. */
export function keepService(settings: SettingsStore, address: ServiceAddress): void {
  const { services } = settings.get();
  if ([...services, ...servicePresets].some(({ baseUrl }) => baseUrl === address.baseUrl)) return;
  settings.update({ services: [...services, { name: new URL(address.baseUrl).host, ...address }] });
}
