import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { readFlags } from '../../upload/file-identity.ts';

/** What a file of a model names: paths relative to the watched folder, `/`-separated, as they are written. */
export type ReadReferences = (file: ReferencingFile) => Promise<readonly string[]>;

export interface ReferencingFile {
  /** Where it is on this computer. */
  readonly path: string;
  /** Relative to the watched folder, `/`-separated. */
  readonly place: string;
  readonly size: number;
  readonly mtimeMs: number;
}

interface Reader {
  /** Bytes; more is not read. A file for which a beginning says nothing is left alone beyond that. */
  readonly most: number;
  readonly needsWhole: boolean;
  readonly read: (text: string, isWhole: boolean) => readonly string[];
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ['.obj', { most: 256 * 1024, needsWhole: false, read: librariesIn }],
  ['.mtl', { most: 1024 * 1024, needsWhole: false, read: texturesIn }],
  ['.gltf', { most: 16 * 1024 * 1024, needsWhole: true, read: urisIn }],
]);
/** Files whose references are remembered: a watched folder is looked through again and again. */
const mostRemembered = 20_000;

/** Whether references are to be read from a file of this name. */
export const hasReferences = (name: string): boolean => readers.has(posix.extname(name).toLowerCase());

/**
 * Reads from OBJ files which material libraries they name, from those which pictures, from glTF files which buffers and pictures. Only relative paths that
 * stay inside the watched folder count; addresses, embedded data and absolute paths of another computer don't. What can't be read or understood names nothing.
 */
export function createReadReferences(): ReadReferences {
  const remembered = new Map<string, { stamp: string; names: readonly string[] }>();
  return async ({ path, place, size, mtimeMs }) => {
    const reader = readers.get(posix.extname(place).toLowerCase());
    if (!reader || (reader.needsWhole && size > reader.most)) return [];
    const stamp = `${size} ${mtimeMs}`;
    const known = remembered.get(path);
    if (known?.stamp === stamp) return known.names;
    const text = await beginningOf(path, Math.min(size, reader.most));
    if (text === null) return [];
    const read = reader.read(text, size <= reader.most).flatMap((name) => placeOf(name, place) ?? []);
    const names = [...new Set(read)];
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(path, { stamp, names });
    return names;
  };
}

async function beginningOf(path: string, bytes: number): Promise<string | null> {
  try {
    await using handle = await open(path, readFlags);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return textOf(buffer.subarray(0, bytesRead));
  } catch {
    return null;
  }
}

/** Programs of this field write UTF-8 or the letters of their time, and don’t say which. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // A letter that the end cuts in two is none of the others.
  return text.slice(0, -1).includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** Where a name that stands in the file at `place` leads; undefined when out of the watched folder. */
export function placeOf(name: string, place: string): string | undefined {
  const written = name.trim().replaceAll('\\', '/');
  if (written === '' || written.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(written)) return;
  const leads = posix.normalize(posix.join(posix.dirname(place), written));
  return leads === '.' || leads === '..' || leads.startsWith('../') || leads.endsWith('/')
    ? undefined
    : leads;
}

/** What is cut off at the end of a beginning is no whole line; an incomplete name would be missed for ever. */
function linesOf(text: string, isWhole: boolean): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return isWhole ? lines : lines.slice(0, -1);
}

function librariesIn(text: string, isWhole: boolean): readonly string[] {
  const names: string[] = [];
  for (const line of linesOf(text, isWhole)) {
    const rest = /^mtllib\s+(.+)$/i.exec(line)?.[1];
    // Several libraries may stand in one line, and one name may hold spaces: it ends with its ending.
    if (rest) names.push(...(rest.match(/\S.*?\.mtl(?=\s|$)/gi) ?? [rest]));
  }
  return names;
}

/** Options of a texture stand before its name: `-s 1 1 1 -bm 0.5 name with spaces.jpg`. */
const textureOption =
  /^-(?:(?:blendu|blendv|cc|clamp)\s+(?:on|off)|(?:mm)\s+\S+\s+\S+|(?:o|s|t)(?:\s+-?[\d.]+(?:e[+-]?\d+)?){1,3}|(?:bm|boost|texres|imfchan|type)\s+\S+)\s+/i;

function texturesIn(text: string, isWhole: boolean): readonly string[] {
  const names: string[] = [];
  for (const line of linesOf(text, isWhole)) {
    let rest = /^(?:map_\w+|bump|disp|decal|refl|norm)\s+(.+)$/i.exec(line)?.[1];
    if (!rest) continue;
    for (let option = textureOption.exec(rest); option; option = textureOption.exec(rest)) {
      rest = rest.slice(option[0].length);
    }
    names.push(rest);
  }
  return names;
}

function urisIn(text: string): readonly string[] {
  try {
    const { buffers, images }: { buffers?: unknown; images?: unknown } = JSON.parse(text);
    return [buffers, images].flat().flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null || !('uri' in one) || typeof one.uri !== 'string')
        return [];
      return one.uri.startsWith('data:') ? [] : [decoded(one.uri)];
    });
  } catch {
    return [];
  }
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
