/**
 * Files that programs write next to viewed data: pyramids, statistics, indexes, notes. They can be recreated,
 * so they don't count as changes, but they are uploaded with the data. A test keeps this table and
 * docs/reference/derived-files.md in sync.
 */
interface DerivedFile {
  /** In lower case. */
  readonly extension: string;
  /** Endings of the original next to it, with the same stem. Null: always derived. */
  readonly siblings: readonly string[] | null;
  /** Program and purpose. */
  readonly writtenBy: string;
  readonly source: string;
}

interface Writer {
  readonly writtenBy: string;
  readonly source: string;
  /** Separated by `|`. */
  readonly endings: string;
  readonly siblings?: readonly string[];
}

const writers: readonly Writer[] = [
  {
    endings: '.aux.xml',
    writtenBy: 'GDAL, QGIS, ArcGIS: statistics and histograms of a raster',
    source: 'GDAL, Persistent Auxiliary Metadata; Esri, Auxiliary files',
  },
  {
    endings: '.ovr',
    writtenBy: 'ArcGIS, QGIS, GDAL: pyramids of a raster',
    source: 'GDAL, gdaladdo; Esri, Raster pyramids',
  },
  {
    endings: '.rrd|.aux',
    writtenBy: 'ERDAS IMAGINE, ArcGIS before 10: pyramids and statistics of a raster',
    source: 'Esri, Raster pyramids; Auxiliary files',
  },
  { endings: '.enp', writtenBy: 'ENVI: pyramids of a raster', source: 'ENVI documentation, Build Pyramid' },
  {
    endings:
      '.tif.xml|.tiff.xml|.img.xml|.jp2.xml|.jpg.xml|.png.xml|.sid.xml|.ecw.xml|.asc.xml|.shp.xml|.dbf.xml',
    writtenBy: 'ArcGIS: metadata of an item shown in the catalog',
    source: 'Esri, Metadata of items; Shapefile file extensions',
  },
  { endings: '.qmd', writtenBy: 'QGIS: notes about a layer', source: 'QGIS User Guide, Metadata of a layer' },
  {
    endings: '.qix',
    writtenBy: 'QGIS, GDAL, MapServer: spatial index of a shapefile',
    source: 'GDAL, ESRI Shapefile driver, Spatial and attribute indexing',
  },
  {
    endings: '.sbn|.sbx|.ain|.aih|.atx',
    writtenBy: 'ArcGIS: spatial and attribute indexes of a shapefile',
    source: 'Esri, Shapefile file extensions',
  },
  {
    endings: '.idm|.ind',
    writtenBy: 'GDAL: attribute index of a shapefile',
    source: 'GDAL, ESRI Shapefile driver, Spatial and attribute indexing',
  },
  { endings: '.gfs', writtenBy: 'GDAL, QGIS: the schema of a GML file', source: 'GDAL, GML driver, Schema' },
  {
    endings: '.lasx|.slas',
    writtenBy: 'ArcGIS: statistics and index of a point cloud',
    source: 'Esri, LAS dataset file structure',
  },
  {
    endings: '.lax|.lox',
    writtenBy: 'LAStools: spatial index of a point cloud',
    source: 'rapidlasso, lasindex README',
  },
  {
    endings: '.copc.laz',
    siblings: ['.las', '.laz'],
    writtenBy: 'QGIS 3.26 and later: index of a point cloud',
    source: 'QGIS, changelog of 3.26, Point clouds',
  },
  {
    endings: '.idx',
    writtenBy: 'cfgrib: index of a GRIB file',
    source: 'ECMWF, cfgrib README, GRIB index file',
  },
];

export const derivedFiles: readonly DerivedFile[] = writers.flatMap(
  ({ endings, siblings = null, writtenBy, source }) =>
    endings.split('|').map((extension) => ({ extension, siblings, writtenBy, source })),
);

/** Whether a file is derived from data. */
export type IsDerived = (key: string) => boolean;

/** By last ending, because each of 100,000 names is looked up. */
const table = Map.groupBy(derivedFiles, ({ extension }) => lastEnding(extension));

function lastEnding(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** @param hasKey whether a file exists, ignoring the case of its ending */
export function createIsDerived(hasKey: (key: string) => boolean): IsDerived {
  return (key) => {
    const lowerCaseKey = key.toLowerCase();
    const rows = table.get(lastEnding(lowerCaseKey)) ?? [];
    return rows.some(({ extension, siblings }) => {
      if (!lowerCaseKey.endsWith(extension)) return false;
      const stem = key.slice(0, -extension.length);
      return (
        siblings === null ||
        siblings.some(
          (besideExtension) => hasKey(stem + besideExtension) || hasKey(stem + besideExtension.toUpperCase()),
        )
      );
    });
  };
}
