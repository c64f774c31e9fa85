/**
 * What programs write beside data when someone merely looks at them: pyramids, statistics, indexes, notes
 * about a layer. Whoever has the data can make it again, so it says nothing about whether they have changed.
 * It is sent where it came with the data. docs/derived-files.md shows this table, and a test holds the two
 * together.
 */
interface DerivedFile {
  /** How the file's name ends, in lower case. */
  readonly ending: string;
  /**
   * Endings of the data that it is derived from: it is derived only beside a file of the same stem and one of
   * these. Null: wherever it is.
   */
  readonly besides: readonly string[] | null;
  /** Which program writes it, and what it is. */
  readonly writtenBy: string;
  /** Where that is documented. */
  readonly source: string;
}

interface Writer {
  readonly writtenBy: string;
  readonly source: string;
  /** Separated by `|`. */
  readonly endings: string;
  readonly besides?: readonly string[];
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
  {
    endings: '.qmd',
    writtenBy: 'QGIS: notes about a layer',
    source: 'QGIS User Guide, Metadata of a layer',
  },
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
  {
    endings: '.gfs',
    writtenBy: 'GDAL, QGIS: the schema of a GML file',
    source: 'GDAL, GML driver, Schema',
  },
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
    besides: ['.las', '.laz'],
    writtenBy: 'QGIS 3.26 and later: index of a point cloud',
    source: 'QGIS, changelog of 3.26, Point clouds',
  },
  {
    endings: '.idx',
    writtenBy: 'cfgrib: index of a GRIB file',
    source: 'ECMWF, cfgrib README, GRIB index file',
  },
];

/** Every row. */
export const derivedFiles: readonly DerivedFile[] = writers.flatMap(
  ({ endings, besides = null, writtenBy, source }) =>
    endings.split('|').map((ending) => ({ ending, besides, writtenBy, source })),
);

/** Whether a file of this key is derived from data. */
export type IsDerived = (key: string) => boolean;

/**
 * Rows by what comes after the last dot of their endings: each of 100,000 names is compared with the table.
 */
const table = Map.groupBy(derivedFiles, ({ ending }) => lastEnding(ending));

function lastEnding(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** @param hasKey whether there is a file of this key beside it, whatever the case of its ending */
export function createIsDerived(hasKey: (key: string) => boolean): IsDerived {
  return (key) => {
    const low = key.toLowerCase();
    const rows = table.get(lastEnding(low)) ?? [];
    return rows.some(({ ending, besides }) => {
      if (!low.endsWith(ending)) return false;
      const stem = key.slice(0, -ending.length);
      return (
        besides === null || besides.some((one) => hasKey(stem + one) || hasKey(stem + one.toUpperCase()))
      );
    });
  };
}
