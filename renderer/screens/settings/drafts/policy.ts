import type { PolicyView } from '../../../../preload/contract.ts';
import { formatNames, say } from '../../../say.ts';

interface PolicyFact {
  readonly name: string;
  readonly value: string;
}

export function policyFacts(policy: PolicyView): readonly PolicyFact[] {
  const { services, proxy, caFile, updates, watchRoots } = policy;
  const facts: PolicyFact[] = [];
  const add = (name: string, value: string) => facts.push({ name, value });
  if (services) {
    const names = formatNames(services.map(({ name }) => name));
    add(say('policy.services'), policy.onlyThose ? say('policy.servicesOnly', { names }) : names);
    for (const { name, clientId } of services)
      if (clientId !== undefined) add(say('policy.clientId', { name }), clientId);
  }
  if (proxy) add(say('policy.proxy'), proxyValue(proxy));
  if (caFile !== null) add(say('policy.certificate'), caFile);
  if (policy.plainStorage !== null)
    add(say('policy.storage'), say(policy.plainStorage ? 'policy.storagePlain' : 'policy.storageEncrypted'));
  if (policy.plainServices !== null)
    add(
      say('policy.plainServices'),
      say(policy.plainServices ? 'policy.plainServicesOn' : 'policy.plainServicesOff'),
    );
  if (updates) add(say('policy.updates'), updatesValue(updates));
  if (policy.watchRules !== null)
    add(say('policy.watchRules'), say('policy.watchRulesCount', { count: policy.watchRules }));
  if (watchRoots) add(say('policy.watch'), say('policy.watchRoots', { roots: formatNames(watchRoots) }));
  return facts;
}

function proxyValue(proxy: NonNullable<PolicyView['proxy']>): string {
  switch (proxy.mode) {
    case 'system':
      return say('policy.proxySystem');
    case 'direct':
      return say('policy.proxyDirect');
    case 'fixed':
      return proxy.server;
    case 'pac':
      return proxy.address;
  }
}

function updatesValue({ allowed: areAllowed, channel }: NonNullable<PolicyView['updates']>): string {
  if (!areAllowed) return say('policy.updatesOff');
  if (channel === null) return say('policy.updatesOn');
  return say(channel === 'beta' ? 'policy.channelBeta' : 'policy.channelLatest');
}
