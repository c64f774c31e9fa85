/**
 * A format missing from the service’s public guide, or only in newer editions (service-facts.md, “File
 * kinds”). Its text is `howTo.<id>` in the catalogue.
 */

interface UnlistedFormat {
  /** In lower case, without the dot, space-separated. */
  readonly endings: string;
  /**
   * `{in}` is the file, `{out:tif}` the new one next to it. The user replaces `EPSG:CODE` and capitalised
   * words, as the format’s text says.
   */
  readonly commands?: readonly string[];
  /** Ending of the file to convert if several make up the data set. */
  readonly main?: string;
  readonly inNewerGuides?: true;
}

const toTiff = 'gdal_translate -of COG -co COMPRESS=DEFLATE -co BIGTIFF=IF_SAFER {in} {out:tif}';
const toGeoJson = 'ogr2ogr -f GeoJSON -t_srs EPSG:4326 {out:geojson} {in}';
const toLaz = 'pdal translate {in} {out:laz}';
const toGlb = 'assimp export {in} {out:glb} -fglb2';

export const unlistedFormats = {
  shapefile: { endings: 'shp shx dbf sbn sbx cpg qix', main: 'shp', commands: [toGeoJson] },
  geopackage: { endings: 'gpkg', commands: [toGeoJson, toTiff] },
  geodatabase: { endings: 'gdb gdbtable gdbtablx gdbindexes atx spx freelist', commands: [toGeoJson] },
  vector: { endings: 'fgb parquet geoparquet mif mid gpx sqlite', commands: [toGeoJson] },
  geojson: { endings: 'geojson topojson', inNewerGuides: true },
  czml: { endings: 'czml', inNewerGuides: true },
  cityjson: { endings: 'cityjson', commands: ['citygml-tools from-cityjson {in}'] },
  e57: { endings: 'e57', commands: [`${toLaz} --writers.las.a_srs=EPSG:CODE`] },
  recap: { endings: 'rcp rcs' },
  'scanner-points': { endings: 'pts ptx zlas fls fws zfs bpf pcd', commands: [toLaz] },
  xyz: { endings: 'xyz', commands: [toTiff, `${toLaz} -r readers.text --readers.text.header=X,Y,Z`] },
  ply: { endings: 'ply', commands: [toLaz, toGlb] },
  splats: { endings: 'spz splat ksplat sog' },
  ecw: { endings: 'ecw', commands: [toTiff] },
  mrsid: { endings: 'sid', commands: ['mrsidgeodecode -i {in} -o {out:tif}'] },
  jpeg2000: { endings: 'jp2 jpx jpf j2k j2c jpc', commands: [toTiff] },
  'raster-tiles': { endings: 'mbtiles', commands: [toTiff] },
  raster: { endings: 'bil bip bsq hgt dt0 dt1 dt2 ntf nitf bag kea bmp gif webp', commands: [toTiff] },
  grids: {
    endings: 'nc nc4 cdf grib grib2 grb grb2 h5 hdf5 hdf he5',
    commands: ['gdalinfo {in}', 'gdal_translate -sds {in} {out:tif}'],
  },
  dxf: {
    endings: 'dxf',
    commands: ['ogr2ogr -f GeoJSON -s_srs EPSG:CODE -t_srs EPSG:4326 {out:geojson} {in}'],
  },
  dwg: { endings: 'dwg dgn' },
  ifc: { endings: 'ifc', inNewerGuides: true, commands: ['IfcConvert {in} {out:glb}'] },
  ifczip: { endings: 'ifczip' },
  revit: { endings: 'rvt rfa nwd nwc' },
  sketchup: { endings: 'skp' },
  model: { endings: '3ds stl x3d wrl lwo ase', commands: [toGlb] },
  'modelling-program': { endings: 'max blend c4d 3dm ma mb usdz usd usdc step stp iges igs' },
  'oblique-mesh': { endings: 'osgb slpk' },
  'raw-photo': { endings: 'heic heif dng arw cr2 cr3 nef raf orf rw2' },
  pdf: { endings: 'pdf', commands: [toTiff] },
  document: { endings: 'doc docx odt rtf xls xlsx ods ppt pptx odp md htm html' },
  table: {
    endings: 'csv tsv',
    commands: ['ogr2ogr -f GeoJSON -oo X_POSSIBLE_NAMES=LON -oo Y_POSSIBLE_NAMES=LAT {out:geojson} {in}'],
  },
  video: { endings: 'mp4 mov avi mkv wmv m4v mts mp3 wav' },
  drawing: { endings: 'psd ai svg eps' },
  archive: { endings: 'rar 7z tar gz tgz bz2 xz' },
  project: { endings: 'qgz qgs aprx mxd lyr lyrx qml sld qlr' },
} as const satisfies Readonly<Record<string, UnlistedFormat>>;

export type UnlistedFormatId = keyof typeof unlistedFormats;

export function unlistedFormat(id: UnlistedFormatId): UnlistedFormat {
  return unlistedFormats[id];
}
