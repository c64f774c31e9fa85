import type { ErrorRecord } from '../../preload/contract.ts';
import { error } from './sample-jobs.ts';

/** An error that a retry doesn't solve. */
const lasting = (...about: Parameters<typeof error>): ErrorRecord => ({
  ...error(...about),
  retryable: false,
});

export const denied = error('sign-in-denied');
export const signInEnded = lasting('invalid-credentials', 'https://api.cesium.com');
export const twoSites = lasting('service-pair-unconfirmed', 'https://survey-north.example');
export const mixedPair = lasting('service-pair-mixed', 'https://ion.cesium.com');
export const noSandbox = lasting('sandbox-off');
export const noBrowser = error('browser-not-opened');
export const emptySource = lasting('source-empty', '/data/LoD2_Altstadt');
export const systemFileExists = lasting('system-file-exists', 'kacheln/dgm_0031.tif.aux.xml');
export const unreachable = error('service-unreachable', 'api.cesium.com');
export const refused = lasting('request-refused', null, {
  status: 400,
  code: 'InvalidAsset',
  message: 'options.sourceType is not known',
});
export const notAnAddress = error('sign-in-address-invalid');
export const journalUnusable = lasting('journal-unusable', '/home/mara/.config/Tilelift/journal.db');
export const nestedFolder = lasting('watch-folder-nested', {
  list: ['\\\\nas02\\uav\\landings', '\\\\nas02\\uav'],
});
export const journalDamaged = lasting(
  'journal-damaged',
  '/home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db',
);
export const tokenRefused = lasting('access-token-refused', 'https://api.cesium.com', {
  status: 401,
  code: 'InvalidCredentials',
  message: 'The access token is invalid.',
});
export const updateRefused = lasting('update-refused', '0.2.0');
export const policyBroken = lasting('policy-key-unknown', 'watch.rotts (/etc/tilelift/policy.json:14)');
