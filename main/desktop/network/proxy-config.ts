import type { ProxyConfig } from 'electron';
import { type PolicyProxy, proxyServer } from '../../policy/policy.ts';

/** A policy's proxy as Chromium takes it; null where the policy names none. */
export function proxyConfig(proxy: PolicyProxy | undefined): ProxyConfig | null {
  switch (proxy?.mode) {
    case undefined:
      return null;
    case 'system':
    case 'direct':
      return { mode: proxy.mode };
    case 'fixed':
      return {
        mode: 'fixed_servers',
        proxyRules: proxyServer(proxy.server) ?? proxy.server,
        proxyBypassRules: proxy.except.join(','),
      };
    case 'pac':
      return { mode: 'pac_script', pacScript: proxy.address };
  }
}
