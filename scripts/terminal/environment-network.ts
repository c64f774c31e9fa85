import { setGlobalProxyFromEnv } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { NetworkWay } from '../../main/outside.ts';
import { loopback, wayFromEnvironment } from './proxy-from-environment.ts';

/**
 * Makes `fetch` of this process check certificates whatever the environment says, go by the proxies of the environment and trust the system's authorities; gives the same way
 * for storage.
 */
export function useEnvironmentNetwork(environment: NodeJS.ProcessEnv): NetworkWay {
  delete environment.NODE_TLS_REJECT_UNAUTHORIZED;
  const noProxy = [...loopback, environment.no_proxy || environment.NO_PROXY || ''].join(',');
  setGlobalProxyFromEnv({ ...environment, NO_PROXY: noProxy, no_proxy: noProxy });
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  return wayFromEnvironment(environment);
}
