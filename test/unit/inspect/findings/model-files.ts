/** Small models at a position, and the findings about a capture. */

type Place = readonly [x: number, y: number, z: number];

export const objModel = ([x, y, z]: Place) => `# a\nv ${x} ${y} ${z}\nv ${x + 9} ${y + 9} ${z}\nf 1 2 1\n`;
export const daeAt = ([x, y, z]: Place) =>
  `<COLLADA><source><float_array id="a-positions-array" count="6">${x} ${y} ${z} ${x} ${y} ${z + 3}</float_array></source></COLLADA>`;
export const capture = (srs: string, origin: string) =>
  `<?xml version="1.0"?><ModelMetadata version="1"><SRS>${srs}</SRS><SRSOrigin>${origin}</SRSOrigin></ModelMetadata>`;

export function gltfAt([x, y, z]: Place, width = 20): string {
  return JSON.stringify({
    asset: { version: '2.0' },
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 } }] }],
    accessors: [
      { componentType: 5126, min: [x, y, z], max: [x + width, y + width, z + width] },
      { componentType: 5126, min: [-1, -1, -1], max: [1, 1, 1] },
    ],
  });
}

export function glb(at: Place): Buffer {
  const text = Buffer.from(gltfAt(at));
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  head.write('JSON', 16);
  return Buffer.concat([head, text]);
}

export function ply(format: string, type: string, at: Place): Buffer {
  const names = ['x', 'y', 'z'].map((name) => `property ${type} ${name}\n`).join('');
  const head = `ply\nformat ${format} 1.0\nelement vertex 2\nproperty uchar red\n${names}end_header\n`;
  if (format === 'ascii') return Buffer.from(`${head}${`7 ${at.join(' ')}\n`.repeat(2)}`);
  const size = type === 'double' ? 8 : 4;
  const vertex = Buffer.alloc(1 + 3 * size);
  for (const [axis, value] of at.entries()) {
    if (type === 'double') vertex.writeDoubleLE(value, 1 + axis * size);
    else if (format === 'binary_big_endian') vertex.writeFloatBE(value, 1 + axis * size);
    else vertex.writeFloatLE(value, 1 + axis * size);
  }
  return Buffer.concat([Buffer.from(head), vertex, vertex]);
}
