import type { Finding } from '../../../shared/findings.ts';
import { hasHowTo } from '../../../shared/how-to/how-to.ts';
import { isData } from '../formats/read-file.ts';
import { hashOf } from '../hash-of.ts';
import { extensionOf, isOfCapture } from '../heads/choose.ts';

interface NamedFile {
  readonly key: string;
  readonly size: number;
}

/** service-facts.md, "File kinds": what each edition of the service's public guide lists. */
const listed = new Set(
  (
    'citygml gml xml kml kmz dae las laz obj mtl gltf bin glb fbx tif tiff img jpg jpeg png src tab tfw jgw pgw wld prj ovr rrd ' +
    'flt asc dem terraindb zip json'
  ).split(' '),
);
/** The same place: what newer editions list besides. */
const newlyListed = new Set(['czml', 'geojson', 'topojson', 'ifc']);
/** Of an existing tileset, and what lies beside data. */
const notData = new Set('b3dm i3dm pnts cmpt dds ktx2 msk vrt dbf shx sbn sbx cpg qix'.split(' '));

/** Of these, a second one of the same name and size is the same once more. */
const ownNames = new Set('gml citygml las laz tif tiff img asc dem flt ifc'.split(' '));
const photos = new Set(['jpg', 'jpeg']);
/** Beside these, pictures are textures, which many models share. */
const textured = new Set('gml citygml obj dae gltf glb fbx kml json b3dm'.split(' '));

/** Limits that older editions of the guide name, bytes (the same place): never a refusal. */
const [maxModelBytes, maxAssetBytes] = [1e9, 20e9];
const limited = new Set(['dae', 'obj']);

/** Takes names and sizes of all files one after the other, and says what they tell. */
export class NamesFound {
  readonly #totals = new Map<string, number>();
  readonly #unlisted = new FormatsFound('unlisted-format');
  readonly #newer = new FormatsFound('newly-listed-format');
  readonly #large: string[] = [];
  readonly #copies = new Copies();
  /** Copies only where nothing in the source has textures. */
  readonly #photoCopies = new Copies();
  #isTextured = false;
  #bytes = 0;

  add({ key, size }: NamedFile): void {
    const ending = extensionOf(key);
    // Of descriptions those of captures alone are looked into.
    if (!isOfCapture(key)) this.#totals.set(ending, (this.#totals.get(ending) ?? 0) + 1);
    this.#bytes += size;
    this.#isTextured ||= textured.has(ending);
    if (newlyListed.has(ending)) this.#newer.add(key, ending);
    else if (!listed.has(ending) && !notData.has(ending) && (isData(`.${ending}`) || hasHowTo(key)))
      this.#unlisted.add(key, ending);
    if (size >= maxModelBytes && limited.has(ending)) this.#large.push(key);
    if (size > 0 && ownNames.has(ending)) this.#copies.add(key, size);
    if (size > 0 && photos.has(ending)) this.#photoCopies.add(key, size);
  }

  /** How many files there are, by ending. */
  get totals(): ReadonlyMap<string, number> {
    return this.#totals;
  }

  /** `files`: all of them. */
  find(files: Iterable<NamedFile>): readonly (Finding & { readonly keys: readonly string[] })[] {
    const twice = [...this.#copies.found, ...(this.#isTextured ? [] : this.#photoCopies.found)];
    return [
      ...this.#unlisted.find(),
      ...this.#newer.find(),
      ...(twice.length > 0 ? [{ id: 'duplicates' as const, keys: twice }] : []),
      ...(this.#large.length > 0 ? [{ id: 'large-models' as const, keys: this.#large }] : []),
      ...(this.#bytes > maxAssetBytes
        ? [
            {
              id: 'large-asset' as const,
              values: { size: { bytes: this.#bytes } },
              keys: Array.from(files, ({ key }) => key),
            },
          ]
        : []),
    ];
  }
}

class FormatsFound {
  readonly #id: 'unlisted-format' | 'newly-listed-format';
  readonly #keys: string[] = [];
  readonly #endings = new Set<string>();

  constructor(id: 'unlisted-format' | 'newly-listed-format') {
    this.#id = id;
  }

  add(key: string, ending: string): void {
    this.#keys.push(key);
    this.#endings.add(`.${ending}`);
  }

  find() {
    const values = { endings: { list: [...this.#endings].sort() } };
    return this.#keys.length === 0 ? [] : [{ id: this.#id, values, keys: this.#keys }];
  }
}

/** Files of the same name and size. */
class Copies {
  /** By a hash of name and size: the texts of 100,000 would take 12 MB. */
  readonly #firstOf = new Map<number, string>();
  readonly found = new Set<string>();

  add(key: string, size: number): void {
    const same = hashOf(key.slice(key.lastIndexOf('/') + 1).toLowerCase(), size % 2 ** 32);
    const first = this.#firstOf.get(same);
    if (first === undefined) this.#firstOf.set(same, key);
    else this.found.add(first).add(key);
  }
}
