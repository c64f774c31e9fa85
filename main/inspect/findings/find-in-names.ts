import type { Finding } from '../../../shared/findings.ts';
import { hasHowTo } from '../../../shared/how-to/how-to.ts';
import { isDataExtension } from '../formats/read-file.ts';
import { extensionOf, isCaptureMetadata } from '../headers/choose.ts';
import type { IndexedFiles } from '../headers/lower-case-keys.ts';
import { Copies } from './copies.ts';

interface NamedFile {
  readonly key: string;
  readonly size: number;
}

/** Formats in every edition of the service's public guide (service-facts.md, "File kinds"). */
const listed = new Set(
  (
    'citygml gml xml kml kmz dae las laz obj mtl gltf bin glb fbx tif tiff img jpg jpeg png src tab tfw jgw pgw wld prj ovr rrd ' +
    'flt asc dem terraindb zip json'
  ).split(' '),
);
/** Formats that only newer editions list (same section). */
const newlyListed = new Set(['czml', 'geojson', 'topojson', 'ifc']);
/** Parts of a tileset, and sidecar files. */
const notData = new Set('b3dm i3dm pnts cmpt dds ktx2 msk vrt dbf shx sbn sbx cpg qix'.split(' '));

/** Formats in which files of the same name and size are duplicates. */
const ownNames = new Set('gml citygml las laz tif tiff img asc dem flt ifc'.split(' '));
const photos = new Set(['jpg', 'jpeg']);
/** Pictures next to these are textures, which many models share. */
const textured = new Set('gml citygml obj dae gltf glb fbx kml json b3dm'.split(' '));

/** Bytes, from older editions of the guide (same section). Not refused. */
const [maxModelBytes, maxAssetBytes] = [1e9, 20e9];
const limited = new Set(['dae', 'obj']);

/** A finding from names, and the files that show it. */
export interface FoundInNames {
  /** Has the keys of the first files, sorted. */
  readonly group: Finding & { readonly count: number; readonly keys: readonly string[] };
  /** All keys, in the order of detection. */
  readonly showing: () => readonly string[];
}

/** `places`: indexes of the first files. */
interface Told {
  readonly finding: Finding;
  readonly count: number;
  readonly places: (maxPlaces: number) => readonly number[];
}

/** Collects names and sizes. Stores indexes, because a million keys take 100 MB. */
export class NamesFound {
  readonly #totals = new Map<string, number>();
  readonly #unlisted = new FormatsFound('unlisted-format');
  readonly #newer = new FormatsFound('newly-listed-format');
  readonly #large: number[] = [];
  readonly #copies = new Copies();
  /** Null once the source has textured models. */
  #photoCopies: Copies | null = new Copies();
  #bytes = 0;
  #count = 0;

  add({ key, size }: NamedFile): void {
    const place = this.#count++;
    const extension = extensionOf(key);
    // Captures are inspected even if other `.xml` files aren't, so they don't count.
    if (!isCaptureMetadata(key)) this.#totals.set(extension, (this.#totals.get(extension) ?? 0) + 1);
    this.#bytes += size;
    if (textured.has(extension)) this.#photoCopies = null;
    if (newlyListed.has(extension)) this.#newer.add(place, extension);
    else if (
      !listed.has(extension) &&
      !notData.has(extension) &&
      (isDataExtension(`.${extension}`) || hasHowTo(key))
    )
      this.#unlisted.add(place, extension);
    if (size >= maxModelBytes && limited.has(extension)) this.#large.push(place);
    if (size > 0 && ownNames.has(extension)) this.#copies.add(key, size, place);
    if (size > 0 && photos.has(extension)) this.#photoCopies?.add(key, size, place);
  }

  /** By extension. */
  get totals(): ReadonlyMap<string, number> {
    return this.#totals;
  }

  /**
   * @param files all files, in the order of `add`
   * @param maxKeys keys per group
   */
  find(files: Pick<IndexedFiles, 'at'>, maxKeys: number): readonly FoundInNames[] {
    const nameFindings = [
      ...this.#unlisted.find(),
      ...this.#newer.find(),
      ...toldOf({ id: 'duplicates' }, [...this.#copies.found, ...(this.#photoCopies?.found ?? [])]),
      ...toldOf({ id: 'large-models' }, this.#large),
      ...this.#asset(),
    ];
    const keysAt = (places: readonly number[]) => places.map((place) => files.at(place)?.key ?? '');
    return nameFindings.map(({ finding, count, places }) => ({
      group: { ...finding, count, keys: keysAt(places(maxKeys)).sort() },
      showing: () => keysAt(places(count)),
    }));
  }

  #asset(): readonly Told[] {
    if (this.#bytes <= maxAssetBytes) return [];
    const count = this.#count;
    return [
      {
        finding: { id: 'large-asset', values: { size: { bytes: this.#bytes } } },
        count,
        places: (maxPlaces) => Array.from({ length: Math.min(maxPlaces, count) }, (_, place) => place),
      },
    ];
  }
}

class FormatsFound {
  readonly #id: 'unlisted-format' | 'newly-listed-format';
  readonly #places: number[] = [];
  readonly #endings = new Set<string>();

  constructor(id: 'unlisted-format' | 'newly-listed-format') {
    this.#id = id;
  }

  add(place: number, extension: string): void {
    this.#places.push(place);
    this.#endings.add(`.${extension}`);
  }

  find(): readonly Told[] {
    const values = { endings: { list: [...this.#endings].sort() } };
    return toldOf({ id: this.#id, values }, this.#places);
  }
}

const toldOf = (finding: Finding, places: readonly number[]): readonly Told[] =>
  places.length === 0
    ? []
    : [{ finding, count: places.length, places: (maxPlaces) => places.slice(0, maxPlaces) }];
