import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { suiteFolder } from '../../temporary-folder.ts';
import { runScript } from './run-script.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'terminal', 'main.ts');

/** The test must not use the user's own sign-in. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { PATH, NODE_COMPILE_CACHE, LC_ALL: 'C.UTF-8', TILELIFT_TOKEN: 'not-of-this-service' };
const terminal = (...args: string[]) => runScript(script, args, { env });

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('main job in the terminal', () => {
  const folder = suiteFolder();

  it('the main job in the terminal completes any folder, with identical bytes in storage', async () => {
    const source = join(folder, 'Häfen & Brücken');
    await mkdir(join(source, 'texturen'), { recursive: true });
    const files = {
      'modell #1.gml': Buffer.from('<gml/>'),
      'texturen/dach+50%.jpg': Buffer.alloc(70_000, 7),
      leer: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(source, name), bytes);
    const savedFolder = join(folder, 'saved');
    const kind = ['--type', '3DTILES', '--source-type', 'CITYGML'];
    const { code, output } = await terminal(
      '--source',
      source,
      ...kind,
      '--json',
      '--save-objects',
      savedFolder,
    );
    expect(JSON.parse(lastLine(output))).toMatchObject({ status: 'COMPLETE', files: 3, bytes: 70_006 });
    expect(code).toBe(0);
    for (const [name, bytes] of Object.entries(files)) {
      expect(sha256(await readFile(join(savedFolder, name)))).toBe(sha256(bytes));
    }
  });

  it.each([
    [
      'no such path',
      ['--source', '/no/such/path', '--type', 'IMAGERY', '--source-type', 'RASTER_IMAGERY'],
      /found at \/no\/such\/path/,
    ],
    ['an unknown rehearsal', ['--rehearse', 'rain'], /--rehearse takes one of: denied/],
  ])(
    'the main job in the terminal prints one clear line and exits with 2 for %s',
    async (_what, args, expected) => {
      const { code, errors } = await terminal(...args);
      expect(lastLine(errors)).toMatch(expected);
      expect(code).toBe(2);
    },
  );

  it.each([
    ['state-differs', 'sign-in-mismatch', /does not belong to this sign-in/],
    ['dead-service', 'service-unreachable', /can’t be reached/],
    ['data-error', 'data-error', /problem in the data.*\n.*No coordinate reference system/],
  ])(
    'the main job in the terminal prints a message for GIS users and exits with 1 after %s',
    async (trouble, error, expected) => {
      const { code, output, errors } = await terminal('--rehearse', trouble, '--json');
      expect(JSON.parse(lastLine(output))).toMatchObject({ error });
      expect(errors).toMatch(expected);
      expect(code).toBe(1);
    },
  );
});
