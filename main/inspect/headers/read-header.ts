import { isSparse } from '../../files/sparse-file.ts';
import { type FileContents, type Head, readFile } from '../formats/read-file.ts';
import {
  type Corners,
  isAssignableWkt,
  type NamedSystem,
  systemOfWkt,
} from '../formats/systems/coordinate-system.ts';
import { extensionOf, type NameFacts } from './choose.ts';
import { sampleReferences } from './file-references.ts';
import { unpackLaz } from './laz-perf.ts';
import { cornersInSidecar, systemInSidecar } from './sidecar-names.ts';

type SidecarKind = Parameters<typeof systemInSidecar>[0];

export interface HeaderTask {
  readonly kind: 'head';
  readonly key: string;
  readonly path: string;
  /** Sidecars with its system or position. */
  readonly sidecars: readonly { readonly path: string; readonly kind: SidecarKind }[];
  /** A sidecar that the service ignores, which may name a missing system. */
  readonly hint?: string;
  /** Also samples its values. */
  readonly deep?: true;
  /** Reads it even if that downloads it from a cloud service. */
  readonly downloads?: true;
  /** For an archive, time for its members, ms. Default: as long as a full inspection allows. */
  readonly membersMs?: number;
  /** For the file that opens a split archive: all volumes in order. */
  readonly volumes?: readonly { readonly name: string; readonly path: string; readonly size: number }[];
  /** Changes with the file and its sidecars; absent if changes can't be detected. */
  readonly version?: string;
}

/** Content of a header; `head` is null if unreadable or not of the format of the extension. */
export interface HeaderAnswer extends FileContents {
  /** Its values were sampled. */
  readonly deep?: true;
  /** Coordinate system from a sidecar, or null. */
  readonly sidecarSystemName: string | null;
  /** All of the sidecar's system, including heights. */
  readonly sidecarSystem?: NamedSystem;
  /** The system in an ignored sidecar, if there is no other. */
  readonly hint?: string;
  /** Its full WKT, if that can be assigned instead. */
  readonly hintWkt?: string;
  readonly onlyInCloud?: boolean;
  /** Unreadable, at least in part. */
  readonly unread?: boolean;
  /** Hardly any of its bytes are allocated (`isSparse`). */
  readonly sparse?: boolean;
  /** References as written. */
  readonly names?: readonly string[];
  readonly members?: ArchiveMembers;
  /** Names of missing volumes of the archive that it opens. */
  readonly missingVolumes?: readonly string[];
  /** Next to it is a control file of an unfinished download. */
  readonly downloading?: boolean;
}

export interface ArchiveMembers {
  /** Read in less time than a full inspection allows. */
  readonly isPartial?: true;
  /** Totals of all names. */
  readonly names: NameFacts;
  /** `key`: the archive’s key, then the path in it. */
  readonly heads: readonly { readonly key: string; readonly answer: HeaderAnswer }[];
  /** Data files known only by name, and the first keys. */
  readonly unread: { readonly count: number; readonly examples: readonly string[] };
  readonly totals: Readonly<Record<string, number>>;
  /** Keys of all files; null if too many. */
  readonly keys: readonly string[] | null;
}

export interface OpenedFile {
  readonly size: number;
  /** Returns fewer bytes at the end of the file. */
  readonly read: (offset: number, length: number) => Promise<Buffer>;
  /** Length of the readable beginning; default: all. */
  readonly readable?: number;
  /** Bytes on disk; absent within an archive. */
  readonly allocated?: number;
}

/** Closes the file after `use`. Null if it can't be opened or read. */
export type WithFile = <Value>(
  path: string,
  useFile: (file: OpenedFile) => Promise<Value>,
) => Promise<Value | null>;

/** Bytes. */
export const maxSidecarBytes = 48 * 1024;

export async function readFileHeader(
  { key, path, sidecars, hint, deep }: HeaderTask,
  withFile: WithFile,
): Promise<HeaderAnswer> {
  const extension = `.${extensionOf(key)}`;
  const fileAnswer = await withFile(path, async ({ size, read, readable, allocated = size }) => {
    const contents = await readFile({
      extension,
      size,
      read,
      ...(readable !== undefined && { readable }),
      readSidecar: async (sidecarExtension) =>
        sidecarExtension === '.hdr' ? readHeader(sidecars, withFile) : null,
      deep: deep === true,
      unpackLaz,
    });
    const names = await sampleReferences(key, size, read);
    return { ...contents, ...(isSparse(size, allocated) && { sparse: true }), names };
  });
  const { names, ...fileContents } = fileAnswer ?? { head: null, verdict: null, names: [] };
  const { head } = fileContents;
  const rasterSize = head && 'size' in head ? (head.size ?? null) : null;
  let sidecarSystem: NamedSystem | null = null;
  let corners: Corners | null = null;
  for (const { path, kind } of sidecars) {
    if (kind === 'hdr') continue;
    const isKnown = kind === 'world' ? !rasterSize || corners !== null : sidecarSystem !== null;
    if (isKnown) continue;
    await withFile(path, async ({ read }) => {
      const text = (await read(0, maxSidecarBytes)).toString('utf8');
      sidecarSystem ??= systemInSidecar(kind, text);
      if (rasterSize) corners ??= cornersInSidecar(kind, text, rasterSize);
    });
  }
  const lacksSystem = sidecarSystem === null && head && !('system' in head && head.system !== null);
  const hintAnswer =
    lacksSystem && hint !== undefined
      ? await withFile(hint, async ({ read }) => {
          const text = (await read(0, maxSidecarBytes)).toString('utf8');
          const { system } = systemOfWkt(text);
          return system === null
            ? null
            : { hint: system, ...(isAssignableWkt(text) && { hintWkt: text.trim() }) };
        })
      : null;
  return {
    ...hintAnswer,
    ...fileContents,
    ...(deep && { deep }),
    head: head && corners ? ({ ...head, corners } as Head) : head,
    sidecarSystemName: sidecarSystem === null ? null : (sidecarSystem as NamedSystem).system,
    ...(sidecarSystem === null ? {} : { sidecarSystem }),
    ...(!fileAnswer && { unread: true }),
    ...(names.length > 0 && { names }),
  };
}

async function readHeader(sidecars: HeaderTask['sidecars'], withFile: WithFile): Promise<Buffer | null> {
  const headerSidecar = sidecars.find(({ kind }) => kind === 'hdr');
  return headerSidecar ? withFile(headerSidecar.path, ({ read }) => read(0, maxSidecarBytes)) : null;
}

/** Reduces files that aren't data to completeness and texture size. */
export function asAuxiliary<Said extends { readonly head: Head | null }>(answer: Said): Said {
  const { head } = answer;
  const size = head && 'size' in head ? (head.size ?? null) : null;
  return { ...answer, head: size && { kind: 'texture', size } };
}
