import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { field, toList } from '../base/json.ts';
import { glbEnd } from '../base/lengths.ts';
import { jsonEnd } from '../base/texts.ts';
import { headOf, type ModelHead, maxPoints, type Point } from './model.ts';

/** Bytes; longer JSON isn't read. */
const maxJsonLength = 200 * 1024;

/** glTF 2.0 as text. */
export async function readGltf(file: FileBytes): Promise<Opened<ModelHead>> {
  const isShort = file.size <= maxJsonLength;
  const text = isShort ? (await file.readStart(maxJsonLength)).toString('utf8') : '';
  return { head: headOfGltf(text), end: jsonEnd, ...(!isShort && { degree: 'end-only' as const }) };
}

/** glTF 2.0, binary: the first chunk is JSON. */
export async function readGlb(file: FileBytes): Promise<Opened<ModelHead>> {
  if (!(await file.startsWith('glTF')) || file.size < 20) return { head: null, end: glbEnd };
  const start = await file.read(0, 20);
  const length = readUint(start, 12, 4);
  const isText = start.toString('latin1', 16, 20) === 'JSON' && length <= maxJsonLength;
  if (!isText || 20 + length > file.size) return { head: null, end: glbEnd, degree: 'end-only' };
  return { head: headOfGltf((await file.read(20, length)).toString('utf8')), end: glbEnd };
}

const singleFloat = 5126;

/** Position accessors have bounds (glTF 2.0, 3.7.2.1). */
function headOfGltf(text: string): ModelHead | null {
  try {
    const { meshes, accessors }: { meshes?: unknown; accessors?: unknown } = JSON.parse(text);
    const accessorIndexes = new Set<number>();
    for (const mesh of toList(meshes))
      for (const primitive of toList(field(mesh, 'primitives'))) {
        const accessorIndex = field(field(primitive, 'attributes'), 'POSITION');
        if (typeof accessorIndex === 'number' && accessorIndexes.size < maxPoints)
          accessorIndexes.add(accessorIndex);
      }
    const points = [...accessorIndexes].flatMap((accessorIndex) => {
      const accessor = toList(accessors)[accessorIndex];
      if (field(accessor, 'componentType') !== singleFloat) return [];
      return ['min', 'max'].flatMap((name) => {
        const [x, y, z] = toList(field(accessor, name));
        return [x, y, z].every((coordinate) => typeof coordinate === 'number')
          ? [[x, y, z] as unknown as Point]
          : [];
      });
    });
    return headOf(points, true);
  } catch {
    return null;
  }
}
