import { extname } from 'node:path';

const beginnings: Readonly<Record<string, string>> = {
  png: '\x89PNG\r\n\x1a\n',
  jpg: '\xff\xd8\xff\xe0',
  tif: 'II*\0',
  bin: '\0\0\x80\x3f',
  mtl: 'newmtl ',
  dae: '<COLLADA>',
  kml: '<kml>',
  vrt: '<VRTDataset>',
  gpkg: `SQLite format 3\0${'\0'.repeat(52)}GPKG`,
  '3mxb': '3MXBO',
  ige: 'ERDAS_IMG_EXTERNAL_RASTER\0',
};

/** Magic bytes for a file name, so that a document may include the file; empty for other extensions. */
export const beginningOf = (name: string): Buffer =>
  Buffer.from(beginnings[extname(name).slice(1).toLowerCase()] ?? '', 'latin1');
