import { expect, it } from 'vitest';
import type { PolicyView } from '../../../../../preload/contract.ts';
import { policyFacts } from '../../../../../renderer/screens/settings/drafts/policy.ts';

const noSettings: PolicyView = {
  path: '/etc/tilelift/policy.json',
  services: null,
  onlyThose: false,
  proxy: null,
  caFile: null,
  plainStorage: null,
  plainServices: null,
  updates: null,
  watchRoots: null,
  watchRules: null,
};
const offices = [
  { name: 'North', baseUrl: 'https://north.example', clientId: '4711' },
  { name: 'South', baseUrl: 'https://south.example' },
];
const values = (part: Partial<PolicyView>) =>
  policyFacts({ ...noSettings, ...part }).map(({ name, value }) => `${name}: ${value}`);

it('policyFacts() lists each policy setting and no user setting', () => {
  expect(values({})).toEqual([]);
  expect(values({ services: offices })).toEqual(['Services: North, South', 'Client ID for North: 4711']);
  expect(values({ services: offices, onlyThose: true })).toContain('Services: Only North, South');
  expect(values({ watchRoots: ['/srv', '/mnt'] })).toEqual(['Watched folders: Only inside /srv, /mnt']);
  expect(values({ watchRules: 2 })).toEqual(['Watch rules: 2 rules']);
});

it.each<[PolicyView['proxy'], string]>([
  [{ mode: 'system' }, 'System proxy'],
  [{ mode: 'direct' }, 'None'],
  [{ mode: 'fixed', server: 'proxy:3128' }, 'proxy:3128'],
  [{ mode: 'pac', address: 'http://office/proxy.pac' }, 'http://office/proxy.pac'],
])('policyFacts() describes the proxy %j', (proxy, value) =>
  expect(values({ proxy })).toEqual([`Proxy: ${value}`]),
);

it.each<[PolicyView['updates'], string]>([
  [{ allowed: false, channel: 'beta' }, 'Off'],
  [{ allowed: true, channel: null }, 'On'],
  [{ allowed: true, channel: 'latest' }, 'Releases'],
  [{ allowed: true, channel: 'beta' }, 'Releases and preview releases'],
])('policyFacts() describes the updates %j', (updates, value) => {
  expect(values({ updates })).toEqual([`Updates: ${value}`]);
});
