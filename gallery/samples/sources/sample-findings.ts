import type { SourceView } from '../../../preload/contract.ts';
import {
  citySource,
  droppedSource,
  files,
  forecastOf,
  groupsOf,
  keyOf,
  nothingLeftOut,
  photoSource,
  placedAs,
  placedSource,
  pointsSource,
  tileAt,
} from '../sample-sources.ts';

/** Sources with every finding that their kind of data can have. */

const names = (name: string, extension: string, ...numbers: readonly number[]) =>
  numbers.map((number) => `${name}_${String(number).padStart(4, '0')}.${extension}`);
const gml = (...numbers: readonly number[]) => names('LoD2_563', 'gml', ...numbers);

/** City models from several programs and years. */
export const citiesOfAllKinds: SourceView = {
  ...citySource,
  bytes: 23.4e9,
  forecast: forecastOf(755),
  findings: groupsOf(
    34,
    { id: 'no-system-city', keys: gml(5931) },
    {
      id: 'missing-files',
      keys: gml(5930, 5932),
      values: { names: { names: ['texturen/fassade_07.jpg', 'texturen/dach_01.png', 'Grün.jpg'] } },
    },
    {
      id: 'absolute-references',
      keys: gml(5933),
      values: { names: { names: ['D:\\Projekte\\2019\\Altstadt\\Texturen\\Kirche_Nordfassade.jpg'] } },
    },
    {
      id: 'other-case-references',
      keys: gml(5934, 5935, 5936),
      values: { names: { names: ['Texturen/Rathaus.JPG'] } },
    },
    {
      id: 'backslash-references',
      keys: gml(5937),
      values: { names: { names: ['texturen\\markt_1.jpg', 'texturen\\markt_2.jpg'] } },
    },
    { id: 'city-foreign', keys: gml(5938), fix: { kind: 'leave-out' } },
    { id: 'city-no-geometry', keys: gml(5939, 5940), fix: { kind: 'leave-out' } },
    { id: 'city-version', values: { version: '3.0' }, keys: gml(5941, 5942) },
    { id: 'city-dtd', keys: gml(5943) },
    { id: 'city-lods', values: { lods: { list: ['1', '2', '3'] } }, keys: gml(5930, 5931, 5932) },
    { id: 'city-no-appearance', keys: gml(5944, 5945) },
    { id: 'large-textures', keys: ['texturen/luftbild.jpg'] },
    { id: 'large-models', keys: ['Rathaus.dae'] },
    { id: 'large-asset', values: { size: { bytes: 23.4e9 } } },
  ),
};

/** Archives from several programs. */
export const archivesSource: SourceView = {
  ...citySource,
  ...droppedSource('/data/Lieferung', { '.zip': 9 }, 2.1e9),
  ...nothingLeftOut,
  suggestion: citySource.suggestion && { ...citySource.suggestion, reason: files(9, 'zip') },
  findings: groupsOf(
    9,
    { id: 'zip-damaged', keys: ['Los_3.zip'], fix: { kind: 'leave-out' } },
    { id: 'zip-encrypted', keys: ['Los_1.zip', 'Los_2.zip'] },
    { id: 'zip-escaping', keys: ['Los_4.zip'] },
    { id: 'zip-nested', keys: ['Los_5.zip', 'Los_6.zip'] },
    { id: 'zip-methods', values: { methods: { list: ['Deflate64', 'LZMA'] } }, keys: ['Los_7.zip'] },
  ),
};

const inFeet = {
  id: 'contradicting-unit',
  values: { system: 'EPSG:25832', said: { key: 'findings.unit.foot' }, own: { key: 'findings.unit.metre' } },
} as const;

/** A square of 17 × 17 tiles with three gaps. */
const places = Array.from(
  { length: 17 * 17 },
  (_, index) => [index % 17, Math.floor(index / 17)] as const,
).filter((_place, index) => ![88, 160, 161].includes(index));
/** Two more overlap others. */
const unevenTiles = [...places.slice(0, 57), ...places.slice(56, 130), ...places.slice(129)].map(
  ([column, row], index) => tileAt(index, column, row),
);

/** Height tiles with gaps and overlaps. */
export const unevenTilesSource: SourceView = {
  ...placedSource,
  ...placedAs(unevenTiles),
  findings: groupsOf(
    288,
    { ...inFeet, keys: [11, 12, 13].map(keyOf) },
    { id: 'overlaps', keys: [56, 57, 130, 131].map(keyOf) },
    { id: 'gaps', values: { missing: 3 }, count: 288 },
  ),
};

export const twoFlightsSource: SourceView = {
  ...photoSource,
  findings: groupsOf(
    412,
    {
      id: 'several-cameras',
      values: { cameras: { names: ['DJI FC6310', 'SONY ILCE-7RM4A', 'Apple iPhone 15 Pro'] } },
      keys: names('IMG', 'jpg', 301, 302, 303, 304),
    },
    { id: 'photos-days-apart', values: { days: 213 }, count: 412 },
  ),
};

export const pointsInFeetSource: SourceView = {
  ...pointsSource,
  findings: groupsOf(36, { ...inFeet, keys: ['block_7_01.laz'] }),
};
