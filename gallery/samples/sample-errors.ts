import type { ErrorRecord } from '../../preload/contract.ts';
import { error } from './sample-jobs.ts';

/** An error that a retry doesn't solve. */
const lastingError = (...parameters: Parameters<typeof error>): ErrorRecord => ({
  ...error(...parameters),
  retryable: false,
});

export const deniedError = error('sign-in-denied');
export const signInEnded = lastingError('invalid-credentials', 'https://api.cesium.com');
export const twoSites = lastingError('service-pair-unconfirmed', 'https://survey-north.example');
export const mixedPair = lastingError('service-pair-mixed', 'https://ion.cesium.com');
export const noSandbox = lastingError('sandbox-off');
export const noBrowser = error('browser-not-opened');
export const emptySource = lastingError('source-empty', '/data/LoD2_Altstadt');
export const systemFileExists = lastingError('system-file-exists', 'kacheln/dgm_0031.tif.aux.xml');
export const unreachableError = error('service-unreachable', 'api.cesium.com');
export const refusedError = lastingError('request-refused', null, {
  status: 400,
  code: 'InvalidAsset',
  message: 'options.sourceType is not known',
});
export const notAnAddress = error('sign-in-address-invalid');
export const journalUnusable = lastingError('journal-unusable', '/home/mara/.config/Tilelift/journal.db');
export const nestedFolder = lastingError('watch-folder-nested', {
  list: ['\\\\nas02\\uav\\landings', '\\\\nas02\\uav'],
});
export const journalDamaged = lastingError(
  'journal-damaged',
  '/home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db',
);
export const tokenRefused = lastingError('access-token-refused', 'https://api.cesium.com', {
  status: 401,
  code: 'InvalidCredentials',
  message: 'The access token is invalid.',
});
export const updateRefused = lastingError('update-refused', '0.2.0');
export const policyBroken = lastingError('policy-key-unknown', 'watch.rotts (/etc/tilelift/policy.json:14)');
