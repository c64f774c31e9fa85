import type { PolicyView } from '../../preload/contract.ts';

export const officePolicy: PolicyView = {
  path: '/etc/tilelift/policy.json',
  services: [
    { name: 'Survey North', baseUrl: 'https://tiles.survey-north.example', clientId: '4711' },
    { name: 'Survey North (trials)', baseUrl: 'https://trials.survey-north.example' },
  ],
  onlyThose: true,
  proxy: { mode: 'fixed', server: 'http://proxy.survey-north.example:3128' },
  caFile: '/etc/ssl/certs/survey-north.pem',
  plainStorage: null,
  plainServices: null,
  updates: { allowed: false, channel: null },
  watchRules: 2,
  watchRoots: ['/srv/geodata', '/mnt/flights/2026'],
};
