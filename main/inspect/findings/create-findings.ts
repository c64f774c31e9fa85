import {
  type Finding,
  type FindingGroup,
  type FindingId,
  type Fix,
  factsOf,
  findingLevels,
} from '../../../shared/findings.ts';
import { resolveSystem } from '../crs/converters.ts';
import { flatCodeOf } from '../crs/systems.ts';
import { isDataExtension } from '../formats/read-file.ts';
import { extensionOf, isCaptureMetadata } from '../headers/choose.ts';
import type { Look } from '../headers/look-inside.ts';
import type { IndexedFiles } from '../headers/lower-case-keys.ts';
import { Captures } from './captures.ts';
import { findInFile } from './find-in-file.ts';
import { type FoundInNames, NamesFound } from './find-in-names.ts';
import { fixOf } from './fixes.ts';
import { KmlDocuments } from './kml-documents.ts';
import { type CollectedNames, nameBeside } from './names-taken.ts';
import type { Earth } from './position.ts';
import { References } from './references.ts';
import { TileGrid } from './tile-grid.ts';
import { Tilesets } from './tilesets.ts';
import { WholeSource } from './whole-source.ts';

/** Limits, because groups are sent to a page. */
export const maxKeys = 1_000;
const maxGroups = 100;
/** Two hints are already ambiguous. */
const maxHints = 2;

/** Collects findings, one file at a time. */
export interface Findings {
  add(look: Look): void;
  /** Most severe first. */
  finish(): readonly FindingGroup[];
  /** Keys of all files with this finding; if it is about several files together, only those in its group. */
  showing(id: FindingId): readonly string[];
}

interface Group extends Finding, Pick<FindingGroup, 'inArchives'> {
  count: number;
  readonly keys: string[];
  readonly endings: Set<string>;
  /** Systems that sidecar files name without effect: EPSG codes, or WKT. */
  readonly hints: Set<number | string>;
}

/**
 * @param files the whole source, with files that aren't inspected
 * @param takenNames names of the same files, if collected beforehand (100,000 at once take too long)
 * @param maxNamedKeys files per group
 */
export function createFindings(
  files: IndexedFiles,
  earth: Earth | null,
  takenNames?: CollectedNames,
  maxNamedKeys = maxKeys,
): Findings {
  const groups = new Map<string, Group>();
  const lookedOf = new Map<string, number>();
  const whole = new WholeSource(earth);
  const tiles = new TileGrid();
  const names = takenNames?.names ?? namesOf(files);
  const references = new References(files, takenNames?.listing);
  const captures = new Captures(
    earth,
    [...models].some((extension) => names.totals.has(extension)),
  );
  const totalOf = new Map(names.totals);
  const archives = new Set<string>();
  const isInArchive = (key: string) =>
    archives.size > 0 &&
    [...key.matchAll(/\.(?:zip|kmz|3tz)(?=\/)/gi)].some(({ index, 0: { length } }) =>
      archives.has(key.slice(0, index + length)),
    );
  const openArchive = ({ key, members }: Look) => {
    if (!members) return;
    archives.add(key);
    for (const [extension, total] of Object.entries(members.totals)) count(totalOf, extension, total);
    references.openArchive(members.keys);
  };
  /** Whether some KMZ has unknown content. */
  let isHidden = false;
  const hasSeenAllOf = (endings: readonly string[]) =>
    endings.every((extension) => (lookedOf.get(extension) ?? 0) === (totalOf.get(extension) ?? 0));
  const tilesets = new Tilesets();
  const kml = new KmlDocuments();
  const findInDocuments = () => [
    ...(hasSeenAllOf(['json']) ? tilesets.find(files) : []),
    ...(hasSeenAllOf(['kml', 'kmz']) && !isHidden ? kml.find() : []),
  ];
  let ofNames: readonly FoundInNames[] | null = null;
  const findInNames = () => {
    ofNames ??= names.find(files, maxNamedKeys);
    return ofNames;
  };
  const allInNames = (id: FindingId) =>
    findInNames().flatMap(({ group, showing }) => (group.id === id ? showing() : []));
  let besides = takenNames?.besides ?? null;
  const hasBeside = (sidecarNames: readonly string[]) => {
    const existingNames = besides ?? besidesIn(files);
    besides = existingNames;
    return sidecarNames.some((name) => existingNames.has(name));
  };
  const isPlacedBeside = ({ key, archive }: Look) => {
    const stem = key.replace(/\.[^./]+$/, '').toLowerCase();
    const sidecarNames = [`${key.toLowerCase()}.aux.xml`, ...placing.map((extension) => stem + extension)];
    return archive === undefined ? hasBeside(sidecarNames) : references.isInOpenArchive(sidecarNames);
  };
  /** Single-file findings; rarely do a million files share one, so memory stays small. */
  const keysByFinding = new Map<FindingId, string[]>();
  const note = ({ id, values }: Finding, { key, archive }: Look, hint: number | string | null = null) => {
    const findingKeys = keysByFinding.get(id);
    if (findingKeys) findingKeys.push(key);
    else keysByFinding.set(id, [key]);
    const name = JSON.stringify([id, values, archive !== undefined]);
    let group = groups.get(name);
    if (!group && groups.size < maxGroups) {
      const details = {
        id,
        ...(values && { values }),
        ...(archive !== undefined && { inArchives: true as const }),
      };
      group = { ...details, count: 0, keys: [], endings: new Set(), hints: new Set() };
      groups.set(name, group);
    }
    if (!group) return;
    group.count += 1;
    group.endings.add(extensionOf(key));
    if (hint !== null && group.hints.size < maxHints) group.hints.add(hint);
    if (group.keys.length < maxNamedKeys) group.keys.push(key);
  };
  let ofTiles: ReturnType<TileGrid['find']> | null = null;
  /** Waits for all files, because a later one may fill a gap. */
  const findInTiles = () => {
    if (ofTiles) return ofTiles;
    const hasSeenAll = [...totalOf].every(
      ([extension, total]) =>
        extension === 'xml' || !isDataExtension(`.${extension}`) || lookedOf.get(extension) === total,
    );
    if (!hasSeenAll) return [];
    let duplicates: ReadonlySet<string> | null = null;
    ofTiles = tiles.find((key) => {
      duplicates ??= new Set(allInNames('duplicates'));
      return duplicates.has(key);
    });
    return ofTiles;
  };
  return {
    add: (look) => {
      const { key, head } = look;
      if (!isCaptureMetadata(key)) count(lookedOf, extensionOf(key));
      openArchive(look);
      isHidden ||= /\.kmz$/i.test(key) && !look.members;
      const inside = head && 'system' in head && head.system !== null ? head : null;
      const systemName = inside?.system ?? look.sidecarSystemName;
      const [corner] = head && 'corners' in head ? (head.corners ?? []) : [];
      const { definition } = inside ?? look.sidecarSystem ?? {};
      const system = earth
        ? resolveSystem(
            { system: systemName, ...(definition !== undefined && { definition }) },
            corner,
            earth,
          )
        : null;
      const hint =
        look.hint === undefined || !earth ? null : (flatCodeOf(look.hint, earth) ?? look.hintWkt ?? null);
      for (const finding of findInFile(look, system)) note(finding, look, hint);
      tiles.add(look, system ? `EPSG:${system.code}` : systemName);
      for (const id of references.add(look)) note({ id }, look);
      if (head?.kind === 'capture') captures.add(key, head);
      if (head?.kind === 'tileset') tilesets.add(look);
      if (head?.kind === 'kml') kml.add(key, head);
      if (!head || look.verdict !== null) return;
      if (head.kind === 'tiff' && head.unplaced && !isPlacedBeside(look)) note({ id: 'no-place' }, look);
      for (const finding of whole.add(look, system)) note(finding, look);
    },
    finish: () => {
      const sum = (counts: ReadonlyMap<string, number>, endings: Iterable<string>) =>
        [...endings].reduce((subtotal, extension) => subtotal + (counts.get(extension) ?? 0), 0);
      const [inspectedTotal, total] = [sum(lookedOf, lookedOf.keys()), sum(totalOf, lookedOf.keys())];
      const { length } = files;
      const groupsOfNames = findInNames().flatMap(({ group }) => {
        const otherFindings = withoutSplats(group, keysByFinding.get('splats') ?? []);
        return otherFindings ? [{ ...otherFindings, looked: length, total: length }] : [];
      });
      const commonest = whole.commonest();
      const ofModels = captures.system ?? commonest;
      const valuesOf = (id: FindingId) => {
        const values = references.valuesOf(id);
        return values && { values };
      };
      const ofFiles = [...groups.values()].map(({ endings, hints, keys, ...group }) => ({
        ...withFix(group, endings, hints, isOfModels(group.id) ? ofModels : commonest),
        ...valuesOf(group.id),
        keys: keys.toSorted(),
        looked: sum(lookedOf, endings),
        total: sum(totalOf, endings),
      }));
      const ofWhole = [...whole.find(), ...findInTiles(), ...captures.find(), ...findInDocuments()].map(
        (group) => ({
          ...withFix(group.keys.some(isInArchive) ? { ...group, inArchives: true as const } : group),
          keys: group.keys.slice(0, maxNamedKeys),
          looked: inspectedTotal,
          total,
        }),
      );
      return [...ofFiles, ...ofWhole, ...groupsOfNames].sort(
        (a, b) => rankOf(a) - rankOf(b) || b.count - a.count,
      );
    },
    showing: (id) => [
      ...(keysByFinding.get(id) ?? []),
      ...[...whole.find(), ...findInTiles(), ...captures.find(), ...findInDocuments()].flatMap((group) =>
        group.id === id ? group.keys : [],
      ),
      ...allInNames(id),
    ],
  };
}

/** Splats have their own advice; the advice for their extensions would destroy them. */
function withoutSplats(
  group: FoundInNames['group'],
  splats: readonly string[],
): FoundInNames['group'] | null {
  if (group.id !== 'unlisted-format' || splats.length === 0) return group;
  const otherKeys = new Set(splats);
  const keys = group.keys.filter((key) => !otherKeys.has(key));
  const list = [...new Set(keys.map((key) => `.${extensionOf(key)}`))].sort();
  const count = group.count - splats.length;
  return count > 0 ? { ...group, count, keys, values: { endings: { list } } } : null;
}

function besidesIn(files: IndexedFiles): ReadonlySet<string> {
  const foundKeys = new Set<string>();
  for (const { key } of files) {
    const name = nameBeside(key);
    if (name !== null) foundKeys.add(name);
  }
  return foundKeys;
}

function namesOf(files: IndexedFiles): NamesFound {
  const names = new NamesFound();
  for (const file of files) names.add(file);
  return names;
}

/** Archives stay unchanged, so their files get only fixes of the whole source. */
function withFix<Found extends Finding & Pick<FindingGroup, 'inArchives'>>(
  group: Found,
  endings: Iterable<string> = [],
  besideSystems: ReadonlySet<number | string> = new Set(),
  commonest: number | null = null,
): Found & Pick<FindingGroup, 'fix'> {
  const fix = fixOf(group.id, { endings, besideSystems: besideSystems, commonest });
  const fits = fix && (!group.inArchives || ofWhole.has(fix.kind));
  return fits ? { ...group, fix } : group;
}

const ofWhole: ReadonlySet<Fix['kind']> = new Set(['switch', 'split', 'option']);

/** Formats that an asset option can place. */
const models = new Set(['obj', 'dae', 'fbx', 'gltf', 'glb', 'ply']);

const isOfModels = (id: FindingId): boolean => id === 'coarse-coordinates' || id === 'large-coordinates';

/** Sidecar files that place a raster. */
const placing = ['.tfw', '.tifw', '.tiffw', '.wld', '.tab', '.rpb', '_rpc.txt'];

const rankOf = ({ id }: Finding): number => findingLevels.indexOf(factsOf(id).level);

function count(counts: Map<string, number>, name: string, increment = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + increment);
}
