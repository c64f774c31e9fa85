import { expect, it } from 'vitest';
import { outlines } from '../../../../main/inspect/crs/footprints.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { systemInSidecar } from '../../../../main/inspect/headers/sidecar-names.ts';
import { findInLooks } from '../findings/find-in.ts';
import { readBytes } from '../formats/read-bytes.ts';

const outline = outlines(await loadSystems());
/** A grid of two cells of a metre with this `.prj`. */
async function lookAt(x: number, y: number, wkt: string) {
  const grid = `ncols 2\nnrows 1\nxllcorner ${x}\nyllcorner ${y}\ncellsize 1\n1 2\n`;
  const { head, verdict } = await readBytes('a.asc', grid);
  const sidecarSystem = systemInSidecar('prj', wkt);
  return {
    ...{ key: 'a.asc', head, verdict, sidecarSystemName: sidecarSystem?.system ?? null },
    ...(sidecarSystem && { sidecarSystem }),
  };
}

/** As ESRI writes them; places by GDAL 3.6.2, to 10 m. */
it.each([
  [
    'a projection of its own',
    100000,
    200000,
    [9.0, 50.0],
    'PROJCS["unknown",GEOGCS["GCS_unknown",DATUM["D_Unknown_based_on_GRS80_ellipsoid",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",100000.0],PARAMETER["False_Northing",200000.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",50.0],UNIT["Meter",1.0]]',
  ],
  [
    'WKT as GDAL writes it',
    550000,
    5800000,
    [9.734, 52.348],
    'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4258"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH]]',
  ],
] as const)('a .prj without an EPSG code is placed by its definition: %s', async (_, x, y, place, wkt) => {
  const [corner] = outline(await lookAt(x, y, wkt)) ?? [];
  expect(corner?.[0]).toBeCloseTo(place[0], 3);
  expect(corner?.[1]).toBeCloseTo(place[1], 3);
});

it('a .prj without an EPSG code of the British National Grid agrees with PROJ on its code to a decimetre', async () => {
  const wkt =
    'PROJCS["British_National_Grid",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]]';
  const header = await lookAt(530_000, 180_000, wkt);
  for (const candidate of [
    header,
    { ...header, sidecarSystemName: 'EPSG:27700', sidecarSystem: undefined },
  ]) {
    const { sidecarSystem, ...otherFields } = candidate;
    const [corner] = outline({ ...otherFields, ...(sidecarSystem && { sidecarSystem }) }) ?? [];
    // GDAL 3.6.2 and cs2cs 9.1.1, without a grid.
    expect(corner?.[0]).toBeCloseTo(-0.1283536, 6);
    expect(corner?.[1]).toBeCloseTo(51.5039998, 6);
  }
});

it.each([
  [
    'Krovak',
    -750000,
    -1050000,
    null,
    'PROJCS["S-JTSK_Krovak_East_North",GEOGCS["GCS_S_JTSK",DATUM["D_S_JTSK",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Krovak"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Pseudo_Standard_Parallel_1",78.5],PARAMETER["Scale_Factor",0.9999],PARAMETER["Azimuth",30.28813975277778],PARAMETER["Longitude_Of_Center",24.83333333333333],PARAMETER["Latitude_Of_Center",49.5],PARAMETER["X_Scale",-1.0],PARAMETER["Y_Scale",1.0],PARAMETER["XY_Plane_Rotation",90.0],UNIT["Meter",1.0]]',
  ],
  [
    'an oblique Mercator projection',
    600000,
    300000,
    null,
    'PROJCS["GDM_2000_MRSO_Peninsular_Malaysia",GEOGCS["GCS_GDM_2000",DATUM["D_GDM_2000",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Rectified_Skew_Orthomorphic_Natural_Origin"],PARAMETER["False_Easting",804671.0],PARAMETER["False_Northing",0.0],PARAMETER["Scale_Factor",0.99984],PARAMETER["Azimuth",-36.9742035333334],PARAMETER["Longitude_Of_Center",102.25],PARAMETER["Latitude_Of_Center",4.0],PARAMETER["XY_Plane_Rotation",-36.8698976388889],UNIT["Meter",1.0]]',
  ],
  [
    'an ellipsoid of which nobody knows how it lies',
    100000,
    200000,
    null,
    'PROJCS["unknown",GEOGCS["GCS_unknown",DATUM["D_Unknown_based_on_Bessel_1841_ellipsoid",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",100000.0],PARAMETER["False_Northing",200000.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",50.0],UNIT["Meter",1.0]]',
  ],
  [
    'the Swiss projection',
    2600000,
    1200000,
    null,
    'PROJCS["CH1903+_LV95",GEOGCS["GCS_CH1903+",DATUM["D_CH1903+",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Hotine_Oblique_Mercator_Azimuth_Center"],PARAMETER["False_Easting",2600000.0],PARAMETER["False_Northing",1200000.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Azimuth",90.0],PARAMETER["Longitude_Of_Center",7.43958333333333],PARAMETER["Latitude_Of_Center",46.9524055555556],UNIT["Meter",1.0]]',
  ],
] as const)(
  'a .prj without an EPSG code has a name, no place and no finding: %s',
  async (_, x, y, _place, wkt) => {
    const header = await lookAt(x, y, wkt);
    expect(header.sidecarSystemName).toMatch(/\w/);
    expect(outline(header)).toBeNull();
    expect(findInLooks([header], [{ key: 'a.asc', size: 60 }])).toEqual([]);
  },
);
