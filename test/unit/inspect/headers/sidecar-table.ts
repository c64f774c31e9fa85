/**
 * Sidecars from which GDAL 3.6 reads a raster's coordinate system (`test/interop/gdal.test.ts` verifies it if
 * GDAL is installed).
 */

const wkt =
  'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","25832"]]';
const pam = `<PAMDataset>\n  <SRS dataAxisToSRSAxisMapping="1,2">${wkt.replaceAll('"', '&quot;')}</SRS>\n</PAMDataset>\n`;
const tab = `!table
!version 300
!charset WindowsLatin1

Definition Table
  File "a"
  Type "RASTER"
  (500000,5500000) (0,0) Label "Pt 1",
  (500004,5500000) (4,0) Label "Pt 2",
  (500000,5499996) (0,4) Label "Pt 3"
  CoordSys Earth Projection 8, 115, "m", 9, 0, 0.9996, 500000, 0
  Units "m"
`;

/** Sidecars of `a.EXT`, with `*` for the extension. */
export const sidecars: Readonly<Record<string, string>> = {
  'a.prj': wkt,
  'a.*.prj': wkt,
  'a.qpj': wkt,
  'a.wkt': wkt,
  'a.aux.xml': pam,
  'a.*.aux.xml': pam,
  'a.tab': tab,
  'a.wld': '1\n0\n0\n-1\n500000.5\n5499999.5\n',
};

/** Formats, and the sidecars that name their system. */
export const namedSystems: Readonly<Record<string, readonly string[]>> = {
  tif: ['a.*.aux.xml', 'a.tab'],
  jpg: ['a.*.aux.xml'],
  png: ['a.*.aux.xml'],
  asc: ['a.prj'],
  flt: ['a.prj', 'a.*.aux.xml'],
  img: [],
};

/** Each format with each sidecar, and whether the sidecar names its system. */
export const cases = Object.keys(namedSystems).flatMap((extension) =>
  Object.entries(sidecars).map(([sidecar, text]) => ({
    extension,
    sidecar: sidecar.replace('*', extension),
    text,
    names: namedSystems[extension]?.includes(sidecar) ?? false,
  })),
);
