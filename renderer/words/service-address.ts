/** Checks a service address that a person typed. Main checks again; this is to say it at once. */

import type { ServiceView } from '../../preload/contract.ts';
import { say } from '../say.ts';

/** Null when the address can be used, else what is wrong with it. */
export function addressProblem(text: string): string | null {
  const address = text.trim();
  if (address === '') return say('account.problem.noAddress');
  if (!URL.canParse(address)) return say('account.problem.notWhole');
  const url = new URL(address);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return say('account.problem.notHttps');
  }
  if (url.username !== '' || url.password !== '') return say('account.problem.credentials');
  if (url.search !== '' || url.hash !== '') return say('account.problem.afterPath');
  return null;
}

/** The address as it is kept: no space around it, no slash at its end. */
export function tidyAddress(text: string): string {
  return text.trim().replace(/(?<!\/)\/+$/, '');
}

/** A name for a service that has only addresses: its API host. */
export function serviceName(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/**
 * The place of the service that is chosen when the person has not: the one that they wanted last, else the
 * first that nobody's environment brought along. Undefined for none.
 */
export function defaultService(
  services: readonly ServiceView[],
  wanted: ServiceView | null,
): number | undefined {
  const place = (fits: (service: ServiceView) => boolean) => {
    const found = services.findIndex(fits);
    return found < 0 ? undefined : found;
  };
  return (
    place((one) => one.baseUrl === wanted?.baseUrl && one.authUrl === wanted.authUrl) ??
    place((one) => one.from !== 'environment')
  );
}
