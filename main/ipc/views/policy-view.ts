import type { PolicyView } from '../../../preload/contract.ts';
import { type PolicyState, policyIn } from '../../policy/policy.ts';

/** What the administrator has set, as the page shows it; null for nothing. */
export function policyView(state: PolicyState): PolicyView | null {
  if (state.kind !== 'in-force') return null;
  const { services, proxy, caFile, updates, storage, watch, watchRules } = policyIn(state);
  return {
    path: state.path,
    services: services?.offered ?? null,
    onlyThose: services?.only ?? false,
    proxy: proxy ?? null,
    caFile: caFile ?? null,
    plainStorage: storage?.plainHttp ?? null,
    updates: updates ? { allowed: updates.allowed, channel: updates.channel ?? null } : null,
    watchRoots: watch?.roots ?? null,
    watchRules: Array.isArray(watchRules) ? watchRules.length : null,
  };
}
