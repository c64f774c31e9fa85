interface AdvSystem {
  readonly system: string;
  readonly vertical: string | null;
  readonly heights?: 'ellipsoid';
}

/** Names of German surveying authorities (AdV, GeoInfoDok), and EPSG codes. */
const planeCodes: Readonly<Record<string, number>> = {
  ETRS89_UTM31: 25_831,
  ETRS89_UTM32: 25_832,
  ETRS89_UTM33: 25_833,
  'ETRS89_Lat-Lon': 4258,
  'ETRS89_Lat-Lon-h': 4937,
  'ETRS89_X-Y-Z': 4936,
  DE_DHDN_3GK2: 31_466,
  DE_DHDN_3GK3: 31_467,
  DE_DHDN_3GK4: 31_468,
  DE_DHDN_3GK5: 31_469,
  'DE_40-83_3GK4': 31_468,
  'DE_40-83_3GK5': 31_469,
  'DE_42-83_3GK3': 2397,
  'DE_42-83_3GK4': 2398,
  'DE_42-83_3GK5': 2399,
  'DE_PD-83_3GK3': 3396,
  'DE_PD-83_3GK4': 3397,
  'DE_RD-83_3GK4': 3398,
  'DE_RD-83_3GK5': 3399,
};
const heightCodes: Readonly<Record<string, number>> = {
  DE_DHHN12_NOH: 7699,
  DE_DHHN85_NOH: 5784,
  DE_DHHN92_NH: 5783,
  /** A misspelling from the 3D City Database's documentation. */
  DE_DHN92_NH: 5783,
  DE_DHHN2016_NH: 7837,
};
const ellipsoidalHeights = 'ETRS89_h';

const codeIn = (table: Readonly<Record<string, number>>, name: string): string | null =>
  Object.hasOwn(table, name) ? `EPSG:${table[name]}` : null;

/**
 * Resolves `urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH`, or null. States append realizations to older systems
 * (`DE_DHDN_3GK3_HE100`); maps don't show the difference.
 */
export function systemOfAdv(srsName: string): AdvSystem | null {
  const [planeName = '', heightName] = srsName
    .trim()
    .replace(/^(?:urn:adv:crs:|adv:)/i, '')
    .split('*');
  const system = codeIn(planeCodes, planeName.replace(/_(?:[A-Z]{2}\d{3}|RDN)$/, '').replace('D/83', 'D-83'));
  if (system === null) return null;
  if (heightName === ellipsoidalHeights) return { system, vertical: null, heights: 'ellipsoid' };
  return {
    system,
    vertical: heightName ? (codeIn(heightCodes, heightName) ?? heightName.slice(0, 100)) : null,
  };
}
