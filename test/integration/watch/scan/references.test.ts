import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesIn } from '../../../../main/inspect/headers/file-references.ts';
import { createInspectionThread } from '../../../../main/inspect/headers/inspection-thread.ts';
import {
  createReferences,
  placeOf,
  type ReadReferences,
} from '../../../../main/inspect/together/references.ts';
import { growthOf, inProportion } from '../../../security/support/growth.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

const thread = createInspectionThread();
afterAll(() => thread.close());

let folder: WatchedFolder;
let read: ReadReferences;
beforeEach(async () => {
  folder = await createWatchedFolder();
  ({ read } = createReferences(thread, 'watched'));
});
afterEach(() => folder[Symbol.asyncDispose]());

async function namedIn(place: string, content?: string | Buffer): Promise<readonly string[]> {
  if (content !== undefined) await folder.write(place, content);
  const path = join(folder.path, place);
  const { size, mtimeMs } = await stat(path);
  return read({ path, place, size, mtimeMs });
}

describe('references of an OBJ', () => {
  it('finds several material libraries of an OBJ, even with spaces in their names', async () => {
    const text =
      'mtllib a.mtl b.mtl\r\nv 0 0 0\r\n# mtllib no.mtl\r\nmtllib my model.mtl\r\nMTLLIB sub\\c.MTL';
    expect(await namedIn('in/m.obj', text)).toEqual([
      'in/a.mtl',
      'in/b.mtl',
      'in/my model.mtl',
      'in/sub/c.MTL',
    ]);
  });

  it('ignores names behind the first 256 KiB of an OBJ and in a line that is cut off there', async () => {
    const text = `${'v 0 0 0\n'.repeat(32_766)}mtllib cut-off-name.mtl\nmtllib behind.mtl\n`;
    expect(await namedIn('m.obj', text)).toEqual([]);
  });

  it('reads names in Latin-1 from an OBJ', async () => {
    expect(await namedIn('m.obj', Buffer.from('mtllib B\xe4ume.mtl\n', 'latin1'))).toEqual([
      'B\u00e4ume.mtl',
    ]);
  });
});

describe('references of a material library', () => {
  it('finds the pictures of a material library, whatever options precede them', async () => {
    const lines = [
      'newmtl wall',
      'map_Kd wall.jpg',
      'map_Ks -s 1 1 1 -o 0.5 0 0 tex/my wall.png',
      'map_bump -bm 0.3 bump.png',
      'bump -clamp on -imfchan r b2.png',
      'disp d.tif',
      'map_Ka -mm 0 1 1.jpg',
      'Kd 1 1 1',
    ];
    expect(await namedIn('m.mtl', lines.join('\n'))).toEqual([
      ...['wall.jpg', 'tex/my wall.png', 'bump.png', 'b2.png', 'd.tif', '1.jpg'],
    ]);
  });
});

describe('references of a glTF', () => {
  it('finds the buffers and pictures of a glTF, but no embedded data', async () => {
    const model = {
      buffers: [{ uri: 'm.bin' }, { uri: 'data:application/octet-stream;base64,AAAA' }, {}],
      images: [{ uri: 'tex/a%20b.png' }, { bufferView: 1 }, null],
    };
    expect(await namedIn('x/m.gltf', JSON.stringify(model))).toEqual(['x/m.bin', 'x/tex/a b.png']);
  });

  it.each(['', '{"buffers": [', 'null', '[]', '{"buffers": 7, "images": {"uri": 1}}'])(
    'finds no references in an invalid glTF: %j',
    async (text) => {
      expect(await namedIn('m.gltf', text)).toEqual([]);
    },
  );
});

it('reads references of a file again only after it has changed', async () => {
  expect(await namedIn('m.obj', 'mtllib a.mtl\n')).toEqual(['a.mtl']);
  expect(await namedIn('m.obj')).toBe(await namedIn('m.obj'));
  expect(await namedIn('m.obj', 'mtllib other.mtl\n')).toEqual(['other.mtl']);
});

describe('placeOf()', () => {
  it.each([
    ['a.jpg', 'in/m.mtl', 'in/a.jpg'],
    ['./tex/a.jpg', 'in/m.mtl', 'in/tex/a.jpg'],
    ['..\\a.jpg', 'in/m.mtl', 'a.jpg'],
    ['../a.jpg', 'm.mtl', undefined],
    ['../../in/a.jpg', 'in/m.mtl', undefined],
    ['/abs/a.jpg', 'm.mtl', undefined],
    ['C:\\tex\\a.jpg', 'm.mtl', undefined],
    ['https://host/a.jpg', 'm.mtl', undefined],
    ['', 'm.mtl', undefined],
    ['tex/', 'm.mtl', undefined],
    ['..', 'in/m.mtl', undefined],
  ])('resolves %j in %s to %s', (name, place, expected) => {
    expect(placeOf(name, place)).toBe(expected);
  });
});

describe('a hostile OBJ', () => {
  const kinds = [
    ['spaces behind the keyword', (length: number) => `mtllib${' '.repeat(length)}\n`],
    ['a name that never ends', (length: number) => `mtllib ${'a '.repeat(length / 2)}\n`],
    ['lines of one letter', (length: number) => 'mtllib a\n'.repeat(length / 9)],
    ['endings', (length: number) => `mtllib ${'.mtl.'.repeat(length / 5)}\n`],
    ['carriage returns', (length: number) => '\r'.repeat(length)],
  ] as const;

  it.each(kinds)('S19: takes time proportional to its length: %s', (_kind, textOf) => {
    const read = (text: string) => namesIn('m.obj', text.length, Buffer.from(text));
    expect(growthOf(textOf, read)).toBeLessThan(inProportion);
  });

  it('S18: blocks the main thread for less than 250 ms while another thread reads it', async () => {
    await folder.write('m.obj', `mtllib ${'a '.repeat(128 * 1024 - 8)}\n`);
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    await namedIn('m.obj');
    delays.disable();
    expect(delays.max / 1e6).toBeLessThan(250);
  });

  it('finds no references in a file that ends the thread, and reads the next one normally', async () => {
    const ended = createInspectionThread(new URL('./ending-worker.ts', import.meta.url));
    expect(await ended.ask({ kind: 'names', path: 'm.obj', size: 1 })).toBeNull();
    expect(await ended.ask({ kind: 'names', path: 'm.obj', size: 1 })).toBeNull();
    ended.close();
    expect(await namedIn('n.obj', 'mtllib a.mtl\n')).toEqual(['a.mtl']);
  });
});

describe('a hostile XML document', () => {
  it.each([
    ['tags that never end', (length: number) => '<href '.repeat(length / 6)],
    ['texts that never end', (length: number) => `<${'<href>a'.repeat(length / 7)}`],
    ['sections that never end', (length: number) => '<href><![CDATA['.repeat(length / 15)],
    ['comments that never end', (length: number) => '<!--<href>'.repeat(length / 10)],
    ['long names', (length: number) => `<${'a'.repeat(length)}`],
    ['signs', (length: number) => '<'.repeat(length)],
    ['entities', (length: number) => `<href>${'&#x1;&amp'.repeat(length / 9)}</href>`],
    ['marks of a place', (length: number) => `<href>${'#?'.repeat(length / 2)}</href>`],
  ] as const)('S20: takes time proportional to its length: %s', (_kind, textOf) => {
    const read = (text: string) => namesIn('k.kml', text.length, Buffer.from(text));
    expect(growthOf(textOf, read)).toBeLessThan(inProportion);
  });

  it('takes time proportional to its length: attributes', () => {
    const textOf = (length: number) =>
      `<SourceFilename ${'relativeToVRT = '.repeat(length / 16)}>a</SourceFilename>`;
    const read = (text: string) => namesIn('v.vrt', text.length, Buffer.from(text));
    expect(growthOf(textOf, read)).toBeLessThan(inProportion);
  });
});

describe('a hostile material library', () => {
  it.each([
    ['options without end', (length: number) => `map_Kd ${'-s 1 '.repeat(length / 5)}\n`],
    ['spaces', (length: number) => `map_Kd${' \t'.repeat(length / 2)}x\n`],
    ['numbers', (length: number) => `map_Kd -o ${'1.'.repeat(length / 2)}\n`],
    ['many names', (length: number) => 'map_Kd a.jpg\n'.repeat(length / 13)],
  ] as const)('S21: takes time proportional to its length: %s', (_kind, textOf) => {
    const read = (text: string) => namesIn('m.mtl', text.length, Buffer.from(text));
    expect(growthOf(textOf, read)).toBeLessThan(inProportion);
  });
});
