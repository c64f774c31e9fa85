import type { ServiceAddress } from './model.ts';

/** A service under the name that people know it by. */
export interface NamedService extends ServiceAddress {
  readonly name: string;
}

/** Services that Tilelift knows by name; any other is given by its addresses. No test ever contacts one of these. */
export const servicePresets: readonly NamedService[] = [
  { name: 'Cesium ion', baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' },
];
