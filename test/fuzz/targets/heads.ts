import { fileEnd } from '../../../main/source/ends/file-end.ts';
import { FilePieces } from '../../../main/source/heads/file-pieces.ts';
import { readHead } from '../../../main/source/heads/head.ts';
import { sidecarsWithSystem } from '../../../main/source/heads/sidecar-names.ts';
import { namesIn as namesInDirectory } from '../../../main/source/zip-names.ts';
import {
  cityModel,
  jpegFile,
  lasFile,
  projectedKeys,
  tiffFile,
} from '../../unit/source/heads/sample-files.ts';
import { shapeOf, type Target } from '../target.ts';

/** As `lookInside` reads: a beginning, and a few further pieces. */
const [firstBytes, furtherBytes, mostFurther] = [48 * 1024, 4 * 1024, 4];
function headOf(name: string, bytes: Buffer): string {
  const pieces = [{ at: 0, bytes: bytes.subarray(0, firstBytes) }];
  for (let further = 0; ; further += 1) {
    const file = new FilePieces(bytes.length, pieces);
    const head = readHead(name, file);
    if (head !== null || file.wanted === null || further === mostFurther) return shapeOf(head);
    const at = file.wanted;
    pieces.push({ at, bytes: bytes.subarray(at, at + furtherBytes) });
  }
}

async function endOf(ending: string, bytes: Buffer): Promise<string> {
  const read = async (at: number, length: number) => bytes.subarray(at, at + length);
  return String(await fileEnd({ ending, size: bytes.length, read, beside: async () => null }));
}

function format(
  extension: string,
  seeds: readonly (string | Buffer)[],
  words: readonly string[] = [],
): Target {
  return {
    name: extension,
    seeds,
    words,
    run: async (input) => `${headOf(`a.${extension}`, input)} ${await endOf(`.${extension}`, input)}`,
  };
}

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049454e44ae426082',
  'hex',
);
const glb = Buffer.concat([
  Buffer.from('glTF'),
  Buffer.from([2, 0, 0, 0, 20, 0, 0, 0]),
  Buffer.from('{"asset":{}}'),
]);

/** A zip's list of its files, as long as its header says. */
function zipDirectory(names: readonly string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const header = Buffer.alloc(46);
      header.writeUInt32LE(0x02014b50, 0);
      header.writeUInt16LE(Buffer.byteLength(name), 28);
      return Buffer.concat([header, Buffer.from(name)]);
    }),
  );
}

const zip: Target = {
  name: 'zip',
  seeds: [zipDirectory(['a.gml', 'tex/b.jpg']), zipDirectory(['../up.tif', 'c'.repeat(300)])],
  run: async (input) => `${Math.min(namesInDirectory(input).length, 5)} ${await endOf('.zip', input)}`,
};

const sidecars: Target = {
  name: 'sidecar-names',
  seeds: ['a/dgm.asc', '.prj', 'a.b.c/d'],
  words: ['.', '/', '.aux.xml'],
  run: (input) => shapeOf(sidecarsWithSystem(input.toString())),
};

export const headTargets: readonly Target[] = [
  format(
    'tif',
    [
      tiffFile({ bands: 3, geoKeys: projectedKeys(25832) }),
      tiffFile({ big: true, littleEndian: false, geoKeys: projectedKeys(4326), directoryAt: 5_000 }),
    ],
    ['II*\0', 'MM\0*', 'MM\0+'],
  ),
  format(
    'las',
    [
      lasFile({ wkt: 'PROJCS["ETRS89 / UTM zone 32N",GEOGCS[]]' }),
      lasFile({ geoKeys: projectedKeys(25832), behind: 60_000 }),
    ],
    ['LASF_Projection', 'COMPD_CS["', 'LASF'],
  ),
  format('jpg', [jpegFile([47.5, 8.5]), jpegFile('no reception'), jpegFile(null)], ['Exif\0\0', 'II*\0']),
  format('png', [png], ['IEND', 'IHDR']),
  format('glb', [glb], ['glTF']),
  format(
    'gml',
    [cityModel(), cityModel("urn:x'y", '3.0'), Buffer.from(`\ufeff${cityModel()}`, 'utf16le')],
    [
      '<core:CityModel',
      'srsName="',
      "srsName='",
      'xmlns:gml="http://www.opengis.net/gml"',
      'EPSG:',
      '::',
      '<?',
    ],
  ),
  format('asc', ['ncols 2\nnrows 2\nxllcorner 0\n'], ['ncols ', 'nrows ', ' ']),
  zip,
  sidecars,
];
