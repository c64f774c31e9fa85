import { expect, it } from 'vitest';
import table from '../../../../main/inspect/crs/epsg.json' with { type: 'json' };
import words from '../../../../main/inspect/crs/epsg-wkt.json' with { type: 'json' };
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { wktOf } from '../../../../main/inspect/crs/wkt.ts';

const { systemByCode } = await loadSystems();
const wkt = async (code: number) => wktOf(systemByCode(code) ?? { code, name: '' });

it('wktOf() agrees with GDAL', async () => {
  // `gdalsrsinfo -o wkt1 --single-line EPSG:25832`, GDAL 3.6.2.
  expect(await wkt(25832)).toBe(
    'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",' +
      'SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],' +
      'PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,' +
      'AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4258"]],PROJECTION["Transverse_Mercator"],' +
      'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],' +
      'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1,' +
      'AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","25832"]]',
  );
  expect(await wkt(4326)).toMatch(/^GEOGCS\["WGS 84",DATUM\["WGS_1984",.*AUTHORITY\["EPSG","4326"\]\]$/);
});

it('wktOf() covers the table except systems that WKT 1 can’t express', async () => {
  const flat = table.systems.map((row) => row.split('|')).filter(([, kind]) => kind === 'P' || kind === 'G');
  const listedCodes = new Set(words.systems.map((row) => row.split('|')[0]));
  expect(flat.filter(([code]) => !listedCodes.has(code ?? ''))).toHaveLength(41);
  expect(words.systems.length).toBe(flat.length - 41);
  expect(await wkt(6244)).toBeNull();
  expect(await wkt(5555)).toBeNull();
});

it('wktOf() contains every number, name and code', async () => {
  for (const row of words.systems.filter((_, at) => at % 50 === 0)) {
    const code = Number.parseInt(row, 10);
    const wktText = (await wkt(code)) ?? '';
    expect(wktText).toContain(`AUTHORITY["EPSG","${code}"]]`);
    expect(wktText).not.toMatch(/[#{}]|undefined/);
    expect(wktText.split('[')).toHaveLength(wktText.split(']').length);
  }
});
