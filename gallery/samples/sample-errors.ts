import type { ErrorView } from '../../preload/contract.ts';

/** Errors as main tells them. */

export const denied: ErrorView = {
  code: 'sign-in-denied',
  retryable: true,
};

export const twoSites: ErrorView = {
  code: 'service-pair-unconfirmed',
  subject: 'https://survey-north.example',
  retryable: false,
};

export const mixedPair: ErrorView = {
  code: 'service-pair-mixed',
  subject: 'https://ion.cesium.com',
  retryable: false,
};

export const noSandbox: ErrorView = {
  code: 'sandbox-off',
  retryable: false,
};

export const noBrowser: ErrorView = {
  code: 'browser-not-opened',
  retryable: true,
};

export const emptySource: ErrorView = {
  code: 'source-empty',
  subject: '/data/Lieferung',
  retryable: false,
};

export const unreachable: ErrorView = {
  code: 'service-unreachable',
  subject: 'api.cesium.com',
  retryable: true,
};

export const refused: ErrorView = {
  code: 'request-refused',
  retryable: false,
  remote: { status: 400, code: 'InvalidAsset', message: 'options.sourceType is not known' },
};

export const notAnAddress: ErrorView = {
  code: 'sign-in-address-invalid',
  retryable: true,
};

export const journalUnusable: ErrorView = {
  code: 'journal-unusable',
  subject: '/home/mara/.config/Tilelift/journal.db',
  retryable: false,
};

export const nestedFolder: ErrorView = {
  code: 'watch-folder-nested',
  subject: { list: ['/srv/fme/out/ortho/2026', '/srv/fme/out/ortho'] },
  retryable: false,
};

export const journalDamaged: ErrorView = {
  code: 'journal-damaged',
  subject: '/home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db',
  retryable: false,
};

export const tokenRefused: ErrorView = {
  code: 'access-token-refused',
  subject: 'https://api.cesium.com',
  retryable: false,
  remote: { status: 401, code: 'InvalidCredentials', message: 'The access token is invalid.' },
};

export const updateRefused: ErrorView = {
  code: 'update-refused',
  subject: '0.2.0',
  retryable: false,
};

export const policyBroken: ErrorView = {
  code: 'policy-key-unknown',
  subject: 'watch.rotts (/etc/tilelift/policy.json:14)',
  retryable: false,
};
