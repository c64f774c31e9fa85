import { isSparse } from '../../files/sparse-file.ts';
import { maxBytes } from '../formats/base/file-bytes.ts';
import { type FileSays, type Head, readFile } from '../formats/read-file.ts';
import {
  type Corners,
  canBeTold,
  type NamedSystem,
  systemOfWkt,
} from '../formats/systems/coordinate-system.ts';
import { extensionOf } from './choose.ts';
import { unpackLaz } from './laz-perf.ts';
import { namesAtAGlance } from './named-files.ts';
import { cornersInSidecar, systemInSidecar } from './sidecar-names.ts';

type SidecarKind = Parameters<typeof systemInSidecar>[0];

/** A file whose head is to be read. */
export interface HeadTask {
  readonly kind: 'head';
  readonly key: string;
  readonly path: string;
  /** Files beside it that may name its coordinate system, or tell where it lies. */
  readonly sidecars: readonly { readonly path: string; readonly kind: SidecarKind }[];
  /** A file beside it that nobody reads there, and which may say what the file itself does not. */
  readonly hint?: string;
  /** Some of the data itself is looked at too. */
  readonly deep?: true;
  /** Files that are read of an archive, at most. */
  readonly members?: number;
  /** What tells that neither it nor those beside it have changed; absent where nothing does. */
  readonly version?: string;
}

/** What the head of a file says; `head` is null if it can't be read or isn't what its extension says. */
export interface HeadAnswer extends FileSays {
  /** Its coordinate system as a file beside it names it; null where none does. */
  readonly systemBeside: string | null;
  /** All that this says, of the heights too. */
  readonly besideSays?: NamedSystem;
  /** Where it names none, what one beside it says that is not read there. */
  readonly hint?: string;
  /** All of that, where it may go along in its place. Well-known text. */
  readonly hintWkt?: string;
  /** A cloud service keeps its bytes elsewhere: it was not opened. */
  readonly onlyInCloud?: boolean;
  /** It could not be opened, or not be read to where something is told of it. */
  readonly unread?: boolean;
  /** It has its size, but hardly any of its bytes are on the disk (`isSparse`). */
  readonly sparse?: boolean;
  /** Other files that it names, as they are written there. */
  readonly names?: readonly string[];
  readonly members?: ArchiveMembers;
}

/** What was read of the files in an archive. */
export interface ArchiveMembers {
  /** `key`: the archive’s, followed by the path in it. */
  readonly heads: readonly { readonly key: string; readonly answer: HeadAnswer }[];
  /** Data files of which only the name was read, and keys of the first few. */
  readonly unread: { readonly count: number; readonly examples: readonly string[] };
  /** Data files by extension. */
  readonly totals: Readonly<Record<string, number>>;
  /** Keys of all files; null where there are very many. */
  readonly keys: readonly string[] | null;
}

/** A file that can be read. */
export interface OpenedFile {
  readonly size: number;
  /** As many of these bytes as there are. */
  readonly read: (at: number, length: number) => Promise<Buffer>;
  /** Length of the part at the beginning that can be read; default: all. */
  readonly readable?: number;
  /** Bytes that it has on the disk; absent within an archive. */
  readonly allocated?: number;
}

/** Opens a file, and closes it after `use`. Null where it can't be opened or read. */
export type WithFile = <Value>(
  path: string,
  use: (file: OpenedFile) => Promise<Value>,
) => Promise<Value | null>;

/** Bytes of one file. */
export const maxOfFile = maxBytes;
/** Of a sidecar. */
export const maxOfSidecar = 48 * 1024;

/** Reads the head of a file and what stands beside it. */
export async function readHead(
  { key, path, sidecars, hint, deep }: HeadTask,
  withFile: WithFile,
): Promise<HeadAnswer> {
  const ending = `.${extensionOf(key)}`;
  const says = await withFile(path, async ({ size, read, readable, allocated = size }) => {
    const said = await readFile({
      ending,
      size,
      read,
      ...(readable !== undefined && { readable }),
      beside: async (wanted) => (wanted === '.hdr' ? readHeader(sidecars, withFile) : null),
      budget: maxOfFile,
      deep: deep === true,
      unpackLaz,
    });
    const names = await namesAtAGlance(key, size, read);
    return { ...said, ...(isSparse(size, allocated) && { sparse: true }), names };
  });
  const { names, ...fileSays } = says ?? { head: null, verdict: null, names: [] };
  const { head } = fileSays;
  const unplaced = head && 'size' in head ? (head.size ?? null) : null;
  let beside: NamedSystem | null = null;
  let corners: Corners | null = null;
  for (const { path, kind } of sidecars) {
    if (kind === 'hdr') continue;
    const isDone = kind === 'world' ? !unplaced || corners !== null : beside !== null;
    if (isDone) continue;
    await withFile(path, async ({ read }) => {
      const text = (await read(0, maxOfSidecar)).toString('utf8');
      beside ??= systemInSidecar(kind, text);
      if (unplaced) corners ??= cornersInSidecar(kind, text, unplaced);
    });
  }
  const namesNone = beside === null && head && !('system' in head && head.system !== null);
  const hinted =
    namesNone && hint !== undefined
      ? await withFile(hint, async ({ read }) => {
          const text = (await read(0, maxOfSidecar)).toString('utf8');
          const { system } = systemOfWkt(text);
          return system === null ? null : { hint: system, ...(canBeTold(text) && { hintWkt: text.trim() }) };
        })
      : null;
  return {
    ...hinted,
    ...fileSays,
    head: head && corners ? ({ ...head, corners } as Head) : head,
    systemBeside: beside === null ? null : (beside as NamedSystem).system,
    ...(beside === null ? {} : { besideSays: beside }),
    ...(!says && { unread: true }),
    ...(names.length > 0 && { names }),
  };
}

/** The beginning of the header beside a raster; null without one. */
async function readHeader(sidecars: HeadTask['sidecars'], withFile: WithFile): Promise<Buffer | null> {
  const header = sidecars.find(({ kind }) => kind === 'hdr');
  return header ? withFile(header.path, ({ read }) => read(0, maxOfSidecar)) : null;
}

/** What lies beside the data only has to be whole, and no larger than a texture may be. */
export function asBeside<Said extends { readonly head: Head | null }>(said: Said): Said {
  const { head } = said;
  const size = head && 'size' in head ? (head.size ?? null) : null;
  return { ...said, head: size && { kind: 'texture', size } };
}
