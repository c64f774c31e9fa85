import type { ErrorView, PolicyView } from '../../preload/contract.ts';

export const officePolicy: PolicyView = {
  path: '/etc/tilelift/policy.json',
  services: [
    { name: 'Survey North', baseUrl: 'https://tiles.survey-north.example', clientId: '4711' },
    { name: 'Survey North (trials)', baseUrl: 'https://trials.survey-north.example' },
  ],
  onlyThose: true,
  proxy: { mode: 'fixed', server: 'http://proxy.survey-north.example:3128' },
  caFile: '/etc/ssl/certs/survey-north.pem',
  updates: { allowed: false, channel: null },
  watchRoots: ['/srv/geodata', '/mnt/flights/2026'],
};

export const brokenPolicy: ErrorView = {
  code: 'policy-key-unknown',
  message:
    'The policy file names something that this Tilelift does not know: watch.rotts (/etc/tilelift/policy.json:14).',
  advice:
    'Ask the administrator of this computer to take it out, or to update Tilelift first. Until it is right Tilelift signs in nowhere and watches nothing; nothing is lost.',
  retryable: false,
};
