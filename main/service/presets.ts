import type { ServiceEntry } from '../settings.ts';

/** Services that Tilelift knows by name; any other is given by its addresses. No test ever contacts one of these. */
export const servicePresets: readonly ServiceEntry[] = [
  { name: 'Cesium ion', baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' },
];
