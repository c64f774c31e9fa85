import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aWatchRule } from '../../a-watch-rule.ts';
import { holdStorage, jsonLines, lastLine, signedInHouse, smallCity } from './run-cli.ts';

it('tilelift rules export and receipts export exports valid rules and receipts while the service runs, and receipts afterwards', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  const folder = join(house.folder, 'in');
  await mkdir(folder);
  const rules = join(house.folder, 'rules.json');
  const rule = aWatchRule({ folder, sourceType: 'CITYGML', name: 'Landings' });
  const { accountId: _, ...portable } = rule;
  await writeFile(rules, JSON.stringify({ schemaVersion: 1, rules: [portable] }));
  const watchCommand = house.start(['watch', '--rules', rules, '--json']);
  await watchCommand.says('"event":"watching"');
  await smallCity(folder, 'town.gml');
  await watchCommand.says('"event":"source-ended"');

  const exported = await house.run(['rules', 'export']);
  expect(exported.code).toBe(0);
  const copy = join(house.folder, 'copy.json');
  await writeFile(copy, exported.stdout);
  expect(await house.run(['rules', 'check', copy])).toMatchObject({
    code: 0,
    stdout: '1 rule, no problems.\n',
  });

  const csv = await house.run(['receipts', 'export']);
  expect(csv.code).toBe(0);
  const [head, line, ...furtherLines] = csv.stdout.trim().split(/\r?\n/);
  expect([head, line, furtherLines]).toEqual([
    expect.stringMatching(/^"rule","source"/),
    expect.stringMatching(/^"Landings","town\.gml","complete"/),
    [],
  ]);
  watchCommand.child.kill('SIGTERM');
  await watchCommand.ended;
  const json = await house.run(['receipts', 'export', '--format', 'json', '--rule', rule.id]);
  expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining({ source: 'town.gml' })]);
  const otherRun = await house.run(['receipts', 'export', '--format', 'json', '--rule', 'other']);
  expect(JSON.parse(otherRun.stdout)).toEqual([]);
  const lines = jsonLines((await house.run(['receipts', 'export', '--json'])).stdout);
  expect(lines).toMatchObject([{ event: 'receipt' }, { event: 'result', receipts: 1 }]);
});

it('tilelift receipts export without watched folders exports plain uploads with each file, newest first, while another upload runs', async () => {
  const house = await signedInHouse();
  for (const name of ['first.gml', 'second.gml'])
    expect((await house.run(['upload', await smallCity(house.folder, name)])).code).toBe(0);
  holdStorage(house);
  const third = house.start(['upload', await smallCity(house.folder, 'third.gml'), '--json']);
  await third.says('"status":"uploading"');

  const { code, stdout } = await house.run(['receipts', 'export', '--format', 'json']);

  const receipts = ['second', 'first'].map((name) => ({
    ...{ ruleId: '', source: join(house.folder, `${name}.gml`), assetName: name, outcome: 'complete' },
    files: [{ key: `${name}.gml`, size: expect.any(Number), etag: expect.any(String) }],
  }));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject(receipts);
  expect(JSON.parse(stdout)).toHaveLength(2);
  const ruleExport = await house.run(['receipts', 'export', '--format', 'json', '--rule', 'other']);
  expect(JSON.parse(ruleExport.stdout)).toEqual([]);
});

it('--base-terrain accepts the name of a terrain if it is unique', { timeout: 300_000 }, async () => {
  const house = await signedInHouse();
  const { seed, optionsOf } = house.service.control;
  const [hills, , double] = seed({
    assets: [
      { name: 'Hills', type: 'TERRAIN' },
      { name: 'Hills', type: 'IMAGERY' },
      { name: 'Twice', type: 'TERRAIN' },
      { name: 'Twice', type: 'TERRAIN' },
    ],
  }).assets;
  const city = await smallCity(house.folder);
  const clamped = (...terrain: string[]) =>
    house.run(['upload', city, '--clamp-to-terrain', '--base-terrain', ...terrain, '--json']);

  const { code, stdout } = await clamped('Hills');
  expect(code).toBe(0);
  const { jobs } = lastLine(stdout) as { jobs: [{ assetId: number }] };
  expect(optionsOf(jobs[0].assetId)).toMatchObject({ clampToTerrain: true, baseTerrainId: hills });

  expect(await clamped('Nowhere')).toMatchObject({
    code: 2,
    stderr: 'The account has no terrain “Nowhere”.\n',
  });
  const secondUpload = await clamped('Twice');
  expect(secondUpload).toMatchObject({ code: 2, stderr: expect.stringContaining(String(double)) });
  expect((await house.run(['upload', city, '--base-terrain', 'Hills'])).code).toBe(2);

  const rules = join(house.folder, 'rules.json');
  await writeFile(rules, '{"schemaVersion": 1, "rules": []}');
  const watchCommand = house.start(['watch', '--rules', rules, '--json']);
  await watchCommand.says('"event":"watching"');
  const otherCity = await smallCity(house.folder, 'other.gml');
  const handedOver = await house.run(['upload', otherCity, '--clamp-to-terrain', '--base-terrain', 'Hills']);
  expect(handedOver.code).toBe(0);
  const [createdAsset] = house.service.control.assets().filter(({ name }) => name === 'other');
  expect(optionsOf(Number(createdAsset?.id))).toMatchObject({ baseTerrainId: hills });
});
