import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonLineSchema } from '../../../main/cli/json-lines.ts';
import { kmlLine, kmlOf } from '../../unit/inspect/formats/document-files.ts';
import { cliHouse, jsonLines, lastLine, signedInHouse, smallCity } from './run-cli.ts';

it('tilelift assets edits assets, and deletes them only with --yes', { timeout: 240_000 }, async () => {
  const house = await signedInHouse({ beyondContract: true });
  const id = house.service.control.seedAsset({ name: 'Berlin', type: 'TERRAIN' });
  const record = () => house.service.control.assets().find((asset) => asset.id === id);

  const edit = ['assets', 'edit', String(id), '--name', 'Berlin 2026', '--description', '*new*'];
  expect(await house.run(edit)).toMatchObject({ code: 0, stdout: expect.stringContaining('Berlin 2026') });
  expect(record()).toMatchObject({ name: 'Berlin 2026', description: '*new*' });
  expect((await house.run(['assets', 'edit', String(id)])).code).toBe(2);

  const refusedRun = await house.run(['assets', 'delete', String(id)]);
  expect(refusedRun).toMatchObject({ code: 8, stderr: expect.stringContaining('“Berlin 2026”') });
  expect(record()).toBeDefined();
  const deleteRun = await house.run(['assets', 'delete', String(id), '--yes', '--json']);
  expect(deleteRun.code).toBe(0);
  expect(lastLine(deleteRun.stdout)).toMatchObject({ event: 'result', exitCode: 0, assetId: id });
  expect(record()).toBeUndefined();
});

it('tilelift check creates no asset if tilelift upload --check finds a failure', async () => {
  const house = await signedInHouse();
  const badFile = join(house.folder, 'bad.gml');
  await writeFile(
    badFile,
    '<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0"></core:CityModel>',
  );

  const { code } = await house.run(['upload', badFile, '--check']);

  expect(code).toBe(4);
  expect(house.service.control.assets()).toEqual([]);
});

it('tilelift check finds no failure in KML without models that the service shall show unchanged', async () => {
  const house = await cliHouse();
  const roads = join(house.folder, 'roads.kml');
  await writeFile(roads, kmlOf(kmlLine));
  const check = ['upload', roads, '--check', '--dry-run'];
  expect((await house.run(check)).code).toBe(4);
  expect((await house.run([...check, '--type', 'KML'])).code).toBe(0);
});

it('tilelift rules writes an example rules file that is valid once its folder exists, and overwrites none', async () => {
  const house = await cliHouse();
  const file = join(house.folder, 'rules.json');
  const check = () => house.run(['rules', 'check', file, '--json']);

  expect((await house.run(['rules', 'new', file])).code).toBe(0);

  expect(await readFile(file, 'utf8')).toContain('      // The kind of data: CITYGML, ');
  expect((await house.run(['rules', 'new', file])).code).toBe(2);
  expect((await house.run(['rules', 'check', file, '--no-folders'])).code).toBe(0);
  const { code, stdout } = await check();
  expect(code).toBe(2);
  const problem = { event: 'problem', line: 7, field: 'rules[0].folder' };
  expect(jsonLines(stdout)).toContainEqual(expect.objectContaining(problem));
  await mkdir(join(house.folder, 'incoming'));
  expect((await check()).code).toBe(0);
});

it('tilelift rules names the target that a rule can’t move sources to', async () => {
  const house = await cliHouse();
  const file = join(house.folder, 'rules.json');
  const unit = { kind: 'entries' };
  const move = { kind: 'move', folder: house.folder };
  const rule = { folder: house.folder, unit, sourceType: 'CITYGML', afterSuccess: move };
  await writeFile(file, JSON.stringify({ schemaVersion: 1, rules: [rule] }));

  const { code, stdout } = await house.run(['rules', 'check', file, '--json']);

  expect(code).toBe(2);
  const problem = { event: 'problem', field: 'rules[0].afterSuccess.folder' };
  expect(jsonLines(stdout)).toContainEqual(expect.objectContaining(problem));
});

it('tilelift --json prints the stored lines, which match the published schema, over a whole upload', async () => {
  const house = await cliHouse();
  const city = await smallCity(house.folder);
  const calls = [
    ['sign-in', '--token-file', house.tokenFile],
    ['accounts'],
    ['upload', city, '--check'],
    ['upload', city],
    ['assets', 'list'],
    ['assets', 'wait', '1'],
    ['check', city],
    ['upload', city, '--type', 'GLOBE'],
    ['sign-out'],
  ];
  const kinds: string[] = [];
  let uploadLines: readonly Record<string, unknown>[] = [];
  for (const call of calls) {
    const { stdout } = await house.run([...call, '--json']);
    const lines = jsonLines(stdout);
    for (const line of lines)
      expect(jsonLineSchema.safeParse(line).error, JSON.stringify(line)).toBe(undefined);
    expect(lines.at(-1)).toMatchObject({ event: 'result' });
    if (call.includes('--check')) uploadLines = lines;
    kinds.push(`${call[0]}: ${[...new Set(lines.map(({ event }) => event))].join(' ')}`);
  }
  await expect(`${kinds.join('\n')}\n`).toMatchFileSnapshot('json-events.golden');
  const shownFields = uploadLines
    .filter(({ event }) => event === 'upload' || event === 'result')
    .map((line) => JSON.stringify(line, mask, 2));
  await expect(`${shownFields.join('\n')}\n`).toMatchFileSnapshot('upload-json.golden');
});

/** Masks values that differ between runs. */
function mask(key: string, value: unknown): unknown {
  if (['at', 'jobId', 'assetId'].includes(key)) return `(${key})`;
  return key === 'paths' ? ['(path)'] : value;
}
