/** Early validation of a typed service address; main validates again. */

import type { ServiceView } from '../../preload/contract.ts';
import { privateName } from '../../shared/private-names.ts';
import { say } from '../say.ts';

const isAddress = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** Null for a valid address, else the problem. */
export function addressProblem(text: string): string | null {
  const address = text.trim();
  if (address === '') return say('account.problem.noAddress');
  if (!URL.canParse(address)) return say('account.problem.notWhole');
  const url = new URL(address);
  // Main refuses addresses of the internet.
  const isNear = isAddress.test(url.hostname) || privateName.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNear))
    return say('account.problem.notHttps');
  if (url.username !== '' || url.password !== '') return say('account.problem.credentials');
  if (url.search !== '' || url.hash !== '') return say('account.problem.afterPath');
  return null;
}

/** The stored form: without surrounding spaces and a trailing slash. */
export function tidyAddress(text: string): string {
  return text.trim().replace(/(?<!\/)\/+$/, '');
}

/** Default name of a service: its API host. */
export function serviceName(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/**
 * Index of the default service: the last requested one, else the first that isn't from the environment.
 * Undefined for none.
 */
export function defaultService(
  services: readonly ServiceView[],
  requested: ServiceView | null,
): number | undefined {
  const place = (isMatch: (service: ServiceView) => boolean) => {
    const index = services.findIndex(isMatch);
    return index < 0 ? undefined : index;
  };
  return (
    place((service) => service.baseUrl === requested?.baseUrl && service.authUrl === requested.authUrl) ??
    place((service) => service.from !== 'environment')
  );
}
