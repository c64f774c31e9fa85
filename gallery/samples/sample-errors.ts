import type { ErrorRecord } from '../../preload/contract.ts';

export const denied: ErrorRecord = {
  code: 'sign-in-denied',
  retryable: true,
};

export const signInEnded: ErrorRecord = {
  code: 'invalid-credentials',
  subject: 'https://api.cesium.com',
  retryable: false,
};

export const twoSites: ErrorRecord = {
  code: 'service-pair-unconfirmed',
  subject: 'https://survey-north.example',
  retryable: false,
};

export const mixedPair: ErrorRecord = {
  code: 'service-pair-mixed',
  subject: 'https://ion.cesium.com',
  retryable: false,
};

export const noSandbox: ErrorRecord = {
  code: 'sandbox-off',
  retryable: false,
};

export const noBrowser: ErrorRecord = {
  code: 'browser-not-opened',
  retryable: true,
};

export const emptySource: ErrorRecord = {
  code: 'source-empty',
  subject: '/data/LoD2_Altstadt',
  retryable: false,
};

export const systemFileExists: ErrorRecord = {
  code: 'system-file-exists',
  subject: 'kacheln/dgm_0031.tif.aux.xml',
  retryable: false,
};

export const unreachable: ErrorRecord = {
  code: 'service-unreachable',
  subject: 'api.cesium.com',
  retryable: true,
};

export const refused: ErrorRecord = {
  code: 'request-refused',
  retryable: false,
  remote: { status: 400, code: 'InvalidAsset', message: 'options.sourceType is not known' },
};

export const notAnAddress: ErrorRecord = {
  code: 'sign-in-address-invalid',
  retryable: true,
};

export const journalUnusable: ErrorRecord = {
  code: 'journal-unusable',
  subject: '/home/mara/.config/Tilelift/journal.db',
  retryable: false,
};

export const nestedFolder: ErrorRecord = {
  code: 'watch-folder-nested',
  subject: { list: ['\\\\nas02\\uav\\landings', '\\\\nas02\\uav'] },
  retryable: false,
};

export const journalDamaged: ErrorRecord = {
  code: 'journal-damaged',
  subject: '/home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db',
  retryable: false,
};

export const tokenRefused: ErrorRecord = {
  code: 'access-token-refused',
  subject: 'https://api.cesium.com',
  retryable: false,
  remote: { status: 401, code: 'InvalidCredentials', message: 'The access token is invalid.' },
};

export const updateRefused: ErrorRecord = {
  code: 'update-refused',
  subject: '0.2.0',
  retryable: false,
};

export const policyBroken: ErrorRecord = {
  code: 'policy-key-unknown',
  subject: 'watch.rotts (/etc/tilelift/policy.json:14)',
  retryable: false,
};
