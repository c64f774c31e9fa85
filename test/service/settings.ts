import type { ServiceSettings } from './model.ts';

/** Defaults of the service; each start creates its own `dataFolder`. */
export const defaultSettings: Omit<ServiceSettings, 'dataFolder'> = {
  apiPort: 0,
  authPort: 0,
  storagePort: 0,
  controlPort: 0,
  hostName: '127.0.0.1',
  keepObjects: 'disk',
  // Contract 3.3: "expires within a month".
  accessTokenSeconds: 30 * 24 * 3600,
  refreshTokenSeconds: 60 * 24 * 3600,
  codeSeconds: 60,
  // Contract 2.3: "about one hour".
  uploadCredentialSeconds: 3600,
  tilingMs: 1500,
  accountName: 'Survey Office',
  furtherAccounts: [],
  dashboardClients: [
    { id: 1001, name: 'Tilelift', redirectUris: ['tilelift://oauth/callback'] },
    { id: 1002, name: 'Script', redirectUris: ['http://localhost:8391/'] },
  ],
  flow: 'current',
  expiryNames: 'expires_in',
  signInPath: '',
  omitEndpoint: false,
  beyondContract: false,
  partsPerPage: 1000,
  streaming: 'aws',
  checksums: 'verify',
};

/** Contract 4.7. */
export const storageRegion = 'us-east-1';
/**
 * Not a valid host name, because AWS SDK for JavaScript 2 would prepend one to the IP address. A dot breaks
 * version 3.
 */
export const storageBucket = 'Tilelift_Assets';
