import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'terminal', 'main.ts');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

function terminal(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, errors }));
  });
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the main job in the terminal', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-terminal-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('takes the sample to COMPLETE', async () => {
    const { code, out } = await terminal('--json');
    expect(JSON.parse(lastLine(out))).toMatchObject({ status: 'COMPLETE', files: 1 });
    expect(code).toBe(0);
  });

  it('takes any folder, and the objects in storage are its bytes', async () => {
    const source = join(folder, 'Häfen & Brücken');
    await mkdir(join(source, 'texturen'), { recursive: true });
    const files = {
      'modell #1.gml': Buffer.from('<gml/>'),
      'texturen/dach+50%.jpg': Buffer.alloc(70_000, 7),
      leer: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(source, name), bytes);
    const saved = join(folder, 'saved');
    const { code, out, errors } = await terminal(
      ...[
        '--source',
        source,
        '--type',
        '3DTILES',
        '--source-type',
        'CITYGML',
        '--json',
        '--save-objects',
        saved,
      ],
    );
    expect(errors).toBe('');
    expect(JSON.parse(lastLine(out))).toMatchObject({ status: 'COMPLETE', files: 3, bytes: 70_006 });
    expect(code).toBe(0);
    for (const [name, bytes] of Object.entries(files)) {
      expect(sha256(await readFile(join(saved, name)))).toBe(sha256(bytes));
    }
  });

  it.each([
    [
      'no such path',
      ['--source', '/no/such/path', '--type', 'IMAGERY', '--source-type', 'RASTER_IMAGERY'],
      /found at \/no\/such\/path/,
    ],
    [
      'an unknown type',
      ['--source', tmpdir(), '--type', 'MESH', '--source-type', 'X'],
      /“MESH” is not an asset type/,
    ],
    ['CityGML as imagery', ['--type', 'IMAGERY'], /can’t be created from this kind/],
    ['a missing type', ['--source', tmpdir()], /--type/],
    ['an option that does not exist', ['--sauce', '/tmp'], /--sauce/],
  ])('answers %s with one clear line and exit code 2', async (_what, args, expected) => {
    const { code, errors } = await terminal(...args);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    expect(errors).toMatch(expected);
    expect(code).toBe(2);
  });

  it('answers an empty folder with one clear line and exit code 2', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const { code, errors } = await terminal(
      '--source',
      empty,
      '--type',
      'IMAGERY',
      '--source-type',
      'RASTER_IMAGERY',
    );
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    expect(errors).toMatch(/contains no files/);
    expect(code).toBe(2);
  });

  it.each([
    ['denied', /Access was not allowed/],
    ['state-differs', /does not belong to this sign-in/],
    ['dead-service', /can’t be reached/],
    ['data-error', /problem in the data.*No coordinate reference system/],
    ['tiling-error', /Tiling failed/],
  ])('ends %s with a message that a GIS person understands and exit code 1', async (trouble, expected) => {
    const { code, errors } = await terminal('--rehearse', trouble);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    expect(errors).toMatch(expected);
    expect(code).toBe(1);
  });
});
