import type { Finding, FindingId } from '../../../shared/findings.ts';
import { contradictedUnit } from '../crs/converters.ts';
import type { System } from '../crs/systems.ts';
import type { ZipHead } from '../formats/archives/zip.ts';
import type { GmlHead } from '../formats/documents/markup.ts';
import type { ModelHead } from '../formats/models/model.ts';
import type { JpegHead } from '../formats/raster/jpeg.ts';
import type { SampledValues } from '../formats/raster/tiff-samples.ts';
import type { Head } from '../formats/read-file.ts';
import { type NamedSystem, noSystem } from '../formats/systems/coordinate-system.ts';
import { extensionOf } from '../headers/choose.ts';
import {
  describeDeprecation,
  hasSamples,
  isDerived,
  isElevation,
  type Samples,
} from '../headers/describe-headers.ts';
import type { Look } from '../headers/look-inside.ts';
import { findingOf } from './finding-of.ts';

const withoutSystem: Readonly<Record<Head['kind'], FindingId | null>> = {
  'broken-json': null,
  features: null,
  ifc: null,
  kml: null,
  splats: null,
  tileset: null,
  imagine: 'no-system-raster',
  plain: 'no-system-raster',
  dem: 'no-system-raster',
  gml: 'no-system-city',
  las: 'no-system-points',
  tiff: 'no-system-raster',
  grid: 'no-system-raster',
  jpeg: 'no-system-raster',
  png: 'no-system-raster',
  texture: null,
  zip: null,
  model: null,
  capture: null,
};

/** Whether files of this format need a coordinate system. */
export const canNameSystem = ({ key, head }: Look): boolean =>
  head !== null && withoutSystem[head.kind] !== null && !besideRasters.has(extensionOf(key));

/** Pixels, from older editions of the service's public guide (service-facts.md, "File kinds"). */
const maxTexture = 16_384;

/** Sidecar files with layers of a TIFF. */
const besideRasters = new Set(['ovr', 'msk']);

/**
 * Finds problems of a single file except its location. Unreadable and truncated files yield only that.
 *
 * @param system the EPSG system that the file names, if any
 */
export function findInFile(look: Look, system: System | null): readonly Finding[] {
  const { key, head, sidecarSystemName, sidecarSystem, verdict, content, zeros, sparse } = look;
  if (look.onlyInCloud) return [{ id: 'only-in-cloud' }];
  const ofNeighbours = findBeside(look);
  if (verdict !== null) return [findingOf(verdict, content), ...ofNeighbours];
  const ofCompleteness: readonly Finding[] = [
    ...ofNeighbours,
    ...(zeros === 'begin' || zeros === 'end' ? [{ id: 'many-zeros' } as const] : []),
    ...(sparse ? [{ id: 'sparse-file' } as const] : []),
  ];
  if (!head || besideRasters.has(extensionOf(key))) return ofCompleteness;
  const namedSystem = 'system' in head ? head : noSystem;
  const hasSystem =
    sidecarSystemName !== null || namedSystem.system !== null || namedSystem.nature !== undefined;
  const missing = hasSystem ? null : withoutSystem[head.kind];
  const ids: FindingId[] = missing ? [missing] : [];
  if (
    sidecarSystemName === null &&
    (namedSystem.nature === 'engineering' || namedSystem.nature === 'geocentric')
  )
    ids.push(`${namedSystem.nature}-system`);
  else if (system?.kind === 'geocentric') ids.push('geocentric-system');
  if ((namedSystem.system === null ? (sidecarSystem ?? namedSystem) : namedSystem).nature === 'elsewhere')
    ids.push('planet-system');
  const ofSystem = system ? deprecationOf(system) : [];
  if (isOfHeights(head)) ids.push(...ofHeights(namedSystem, sidecarSystem, system));
  const ofPhoto = head.kind === 'jpeg' ? ofPosition(head) : [];
  if ('size' in head && Math.max(...(head.size ?? [0])) > maxTexture) ids.push('large-textures');
  if (head.kind === 'broken-json' || head.kind === 'splats') ids.push(head.kind);
  if (head.kind === 'ifc' && head.isUnplaced) ids.push('ifc-no-place');
  if (head.kind === 'tileset' && head.isEmpty) ids.push('tileset-empty');
  if (head.kind === 'zip') return [...ofCompleteness, ...ofArchive(head)];
  if (head.kind === 'model') return [...ofCompleteness, ...ofModel(head)];
  const ofCity = head.kind === 'gml' ? ofCityModel(head, key, system) : [];
  if (head.kind === 'las') ids.push(...(head.traits ?? []).map((trait) => `las-${trait}` as const));
  const samples = hasSamples(head) ? head : null;
  const values = samples ? { bands: samples.bands, bits: samples.bits } : undefined;
  const ofLayout = samples ? layoutOf(samples, key) : [];
  const ofValues = head.kind === 'tiff' && head.values ? valuesIn(head.values, key) : [];
  // EPSG deprecates faulty definitions, and the unit may be the fault (tools/epsg/README.md).
  const ofUnit =
    system && system.successor === undefined
      ? unitsIn((namedSystem.system === null ? sidecarSystem : namedSystem)?.unit, system)
      : [];
  return [
    ...ofCompleteness,
    ...ids.map((id) => ({ id })),
    ...ofSystem,
    ...ofUnit,
    ...ofCity,
    ...ofPhoto,
    ...ofLayout.map((id) => ({ id, values })),
    ...ofValues,
  ];
}

/** What the files next to it say: missing volumes of an archive, the control file of a download. */
const findBeside = ({ missingVolumes, downloading }: Look): readonly Finding[] => [
  ...(missingVolumes ? [missingVolumesFinding(missingVolumes)] : []),
  ...(downloading ? [{ id: 'unfinished-download' } as const] : []),
];

const maxNamedVolumes = 3;

const missingVolumesFinding = (names: readonly string[]): Finding => ({
  id: 'missing-volumes',
  values: {
    names: { names: names.slice(0, maxNamedVolumes), more: Math.max(0, names.length - maxNamedVolumes) },
  },
});

function ofPosition({ hasPosition, positionFault }: JpegHead): readonly Finding[] {
  if (positionFault === undefined) return hasPosition ? [] : [{ id: 'photos-without-position' }];
  if (positionFault === 'no-hemisphere') return [{ id: 'photos-without-hemisphere' }];
  const why = { key: `findings.positionFault.${positionFault}` } as const;
  return [{ id: 'photos-invalid-position', values: { why } }];
}

function deprecationOf({ code, name, successor }: System): readonly Finding[] {
  if (successor === undefined) return [];
  const values = { system: `EPSG:${code}`, name, deprecation: describeDeprecation(successor) };
  return [{ id: 'deprecated-system', values }];
}

function unitsIn(unit: number | undefined, system: System): readonly Finding[] {
  const expectedUnit = contradictedUnit(system, unit);
  if (expectedUnit === null) return [];
  const contradictingUnit = expectedUnit === 'metre' ? 'foot' : 'metre';
  const values = {
    system: `EPSG:${system.code}`,
    said: { key: `findings.unit.${contradictingUnit}` },
    own: { key: `findings.unit.${expectedUnit}` },
  } as const;
  return [{ id: 'contradicting-unit', values }];
}

function ofArchive({ traits, methods }: ZipHead): readonly Finding[] {
  const ofMethods: Finding = { id: 'zip-methods', values: { methods: { list: methods } } };
  return [
    ...traits.map((trait) => ({ id: `zip-${trait}` as const })),
    ...(methods.length > 0 ? [ofMethods] : []),
  ];
}

/** Vegetation indexes range from -1 to 1; heights rarely do. */
function valuesIn({ range, empty, fill }: SampledValues, key: string): readonly Finding[] {
  if (empty) return [{ id: 'only-no-data' }];
  const findings: Finding[] =
    fill === undefined ? [] : [{ id: 'unnamed-fill', values: { value: fillWord(fill) } }];
  if (range && range[0] >= -1 && range[0] < 0 && range[1] <= 1 && range[1] > 0 && !isDerived(key))
    findings.push({ id: 'hardly-heights' });
  return findings;
}

/** Formatted for a command, without locale. */
const fillWord = (value: number): string => (Math.abs(value) < 1e21 ? String(value) : value.toPrecision(8));

function ofModel({ step, isSingle }: ModelHead): readonly Finding[] {
  if (step === null) return [];
  return [{ id: isSingle ? 'coarse-coordinates' : 'large-coordinates', values: { step } }];
}

const cityModels = new Set(['gml', 'citygml']);

/** AdV names, two systems in one, and a misspelt `def`; users report that these fail. */
const refusedName = /^urn:adv:|,\s*crs:|^urn:ogc:(?!def:)/i;

function ofCityModel(
  { srsName = '', version, traits = [], lods }: GmlHead,
  key: string,
  system: System | null,
): readonly Finding[] {
  const relevantTraits = traits.filter((trait) => trait !== 'foreign' || cityModels.has(extensionOf(key)));
  return [
    ...relevantTraits.map((trait) => ({ id: `city-${trait}` as const })),
    ...(refusedName.test(srsName)
      ? [
          {
            id: 'city-system-name' as const,
            values: {
              name: srsName,
              system: system ? `EPSG:${system.code}` : ({ key: 'findings.epsgCode' } as const),
            },
          },
        ]
      : []),
    ...(version?.startsWith('3.') ? [{ id: 'city-version' as const, values: { version } }] : []),
    ...(lods ? [{ id: 'city-lods' as const, values: { lods: { list: lods.map(String) } } }] : []),
  ];
}

const isOfHeights = (head: Head): boolean =>
  head.kind === 'las' || head.kind === 'grid' || (hasSamples(head) && isElevation(head));

function ofHeights(
  inside: NamedSystem,
  besideSystem: NamedSystem = noSystem,
  system: System | null,
): readonly FindingId[] {
  const { vertical, heights } = inside.system === null ? besideSystem : inside;
  if (heights === 'feet') return ['heights-in-feet'];
  const isFlat = system?.kind === 'projected' || system?.kind === 'geographic-2d';
  return isFlat && vertical === null && heights === undefined ? ['no-vertical'] : [];
}

function layoutOf(head: Samples, key: string): readonly FindingId[] {
  const { bands, bits, sample, palette } = head;
  const isWhole = sample !== 'float';
  const ids: FindingId[] = [];
  if (bands > 1 || palette) ids.push('terrain-of-colours');
  else if (bits <= 8 && isWhole) ids.push('terrain-of-bytes');
  if (palette) ids.push('palette');
  if (bands === 1 && !isWhole && !isDerived(key)) ids.push('imagery-of-heights');
  if (bands >= 3 && bits === 16 && isWhole) ids.push('sixteen-bits');
  if (bands === 2 || bands > 4) ids.push('band-count');
  return ids;
}
