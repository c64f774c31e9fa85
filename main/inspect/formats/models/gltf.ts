import { type FileBytes, uint } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { field, listIn } from '../base/json.ts';
import { glbEnd } from '../base/lengths.ts';
import { jsonEnd } from '../base/texts.ts';
import { headOf, type ModelHead, maxPlaces, type Place } from './model.ts';

/** Bytes; longer JSON isn't read. */
const longestJson = 200 * 1024;

/** glTF 2.0 as text. */
export async function readGltf(file: FileBytes): Promise<Opened<ModelHead>> {
  const isShort = file.size <= longestJson;
  const text = isShort ? (await file.first(longestJson)).toString('utf8') : '';
  return { head: headOfGltf(text), end: jsonEnd, ...(!isShort && { degree: 'end-only' as const }) };
}

/** glTF 2.0, binary: the first chunk is JSON. */
export async function readGlb(file: FileBytes): Promise<Opened<ModelHead>> {
  if (!(await file.begins('glTF')) || file.size < 20) return { head: null, end: glbEnd };
  const start = await file.take(0, 20);
  const length = uint(start, 12, 4);
  const isText = start.toString('latin1', 16, 20) === 'JSON' && length <= longestJson;
  if (!isText || 20 + length > file.size) return { head: null, end: glbEnd, degree: 'end-only' };
  return { head: headOfGltf((await file.take(20, length)).toString('utf8')), end: glbEnd };
}

const singleFloat = 5126;

/** Position accessors have bounds (glTF 2.0, 3.7.2.1). */
function headOfGltf(text: string): ModelHead | null {
  try {
    const { meshes, accessors }: { meshes?: unknown; accessors?: unknown } = JSON.parse(text);
    const boxes = new Set<number>();
    for (const mesh of listIn(meshes))
      for (const primitive of listIn(field(mesh, 'primitives'))) {
        const at = field(field(primitive, 'attributes'), 'POSITION');
        if (typeof at === 'number' && boxes.size < maxPlaces) boxes.add(at);
      }
    const places = [...boxes].flatMap((at) => {
      const accessor = listIn(accessors)[at];
      if (field(accessor, 'componentType') !== singleFloat) return [];
      return ['min', 'max'].flatMap((name) => {
        const [x, y, z] = listIn(field(accessor, name));
        return [x, y, z].every((one) => typeof one === 'number') ? [[x, y, z] as unknown as Place] : [];
      });
    });
    return headOf(places, true);
  } catch {
    return null;
  }
}
