import type { ErrorView } from '../../preload/contract.ts';

/** Errors as main tells them, in its own words. */

export const denied: ErrorView = {
  code: 'sign-in-denied',
  message: 'Access was not allowed in the browser.',
  advice: 'To use Tilelift with this account, sign in again and choose Allow.',
  retryable: true,
};

export const twoSites: ErrorView = {
  code: 'service-pair-unconfirmed',
  message: 'The API address and the sign-in page at https://survey-north.example belong to different sites.',
  advice: 'Sign in only if you know that both belong to the same service.',
  retryable: false,
};

export const mixedPair: ErrorView = {
  code: 'service-pair-mixed',
  message:
    'The sign-in page at https://ion.cesium.com belongs to a known service, but the API address does not.',
  advice:
    'Don’t sign in with these addresses: whoever gave them to you would get access to your account. Choose the service from the list.',
  retryable: false,
};

export const noSandbox: ErrorView = {
  code: 'sandbox-off',
  message: 'Tilelift is running without the sandbox that isolates its window from this computer.',
  advice:
    'AppImages have no sandbox on Ubuntu 24.04 and later: install the deb instead. If you started Tilelift with --no-sandbox, start it without.',
  retryable: false,
};

export const noBrowser: ErrorView = {
  code: 'browser-not-opened',
  message: 'The system browser could not be opened.',
  advice: 'Copy the link and open it in a browser yourself.',
  retryable: true,
};

export const emptySource: ErrorView = {
  code: 'source-empty',
  message: '/data/Lieferung contains no files to upload.',
  advice: 'Choose a folder with data in it. Temporary and system files are left out.',
  retryable: false,
};

export const unreachable: ErrorView = {
  code: 'service-unreachable',
  message: 'The service at api.cesium.com can’t be reached.',
  advice: 'Check the network connection and the service address in Settings, then try again.',
  retryable: true,
};

export const refused: ErrorView = {
  code: 'request-refused',
  message: 'The service refused the request.',
  advice: 'Read the service’s message, correct what it names and try again.',
  retryable: false,
  remote: { status: 400, code: 'InvalidAsset', message: 'options.sourceType is not known' },
};

export const notAnAddress: ErrorView = {
  code: 'sign-in-address-invalid',
  message: 'That is not the address the browser shows after Allow.',
  advice: 'Copy the full address that begins with tilelift://oauth/callback and paste it again.',
  retryable: true,
};

export const journalUnusable: ErrorView = {
  code: 'journal-unusable',
  message: 'The upload journal at /home/mara/.config/Tilelift/journal.db can’t be used.',
  advice: 'Check that the disk is not full and that the folder is writable, then start Tilelift again.',
  retryable: false,
};

export const nestedFolder: ErrorView = {
  code: 'watch-folder-nested',
  message: 'Two rules can’t watch the same files: /srv/fme/out/ortho/2026 and /srv/fme/out/ortho.',
  advice: 'Choose a folder that is not inside a watched folder and does not contain one.',
  retryable: false,
};

export const journalDamaged: ErrorView = {
  code: 'journal-damaged',
  message:
    'The upload journal was damaged. It was set aside as /home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db.',
  advice:
    'Uploads that it still showed as unfinished are listed as failed: start them again as new assets. Those that could not be read are missing from the list.',
  retryable: false,
};

export const tokenRefused: ErrorView = {
  code: 'access-token-refused',
  message: 'The service at https://api.cesium.com does not accept this access token.',
  advice:
    'Copy the whole token from Access Tokens in your account settings. It needs the scopes assets:read and assets:write; assets:list is needed only to list assets.',
  retryable: false,
  remote: { status: 401, code: 'InvalidCredentials', message: 'The access token is invalid.' },
};

export const updateRefused: ErrorView = {
  code: 'update-refused',
  message: 'The update to Tilelift 0.2.0 does not match what its publisher announced, so it was discarded.',
  advice:
    'Keep using this version, which is unchanged. If it happens again tomorrow, tell the provider of your copy of Tilelift.',
  retryable: false,
};

export const policyBroken: ErrorView = {
  code: 'policy-key-unknown',
  message:
    'The policy file contains a setting that this version of Tilelift does not know: watch.rotts (/etc/tilelift/policy.json:14).',
  advice:
    'Ask this computer’s administrator to remove it, or to update Tilelift first. Until this is fixed, Tilelift does not sign in or watch folders. Nothing is lost.',
  retryable: false,
};
