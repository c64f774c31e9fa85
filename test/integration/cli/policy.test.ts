import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonLineSchema } from '../../../main/cli/json-lines.ts';
import { type CliHouse, cliHouse, jsonLines } from './run-cli.ts';

const documents = join(import.meta.dirname, '..', '..', '..', 'docs');

async function checkPolicy(house: CliHouse, text: string, ...furtherArgs: readonly string[]) {
  const file = join(house.folder, 'policy.json');
  await writeFile(file, text);
  return house.run(['policy', 'check', file, ...furtherArgs]);
}

it('tilelift policy check accepts the documented example on a computer without its files', async () => {
  const text = await readFile(join(documents, 'administration.md'), 'utf8');
  const [, example = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  expect(await checkPolicy(await cliHouse(), example)).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['an unknown key', '{\n  "proxi": {}\n}', 'proxi', ':2'],
  ['a wrong value', '{\n  "storage": { "plainHttp": 1 }\n}', 'storage.plainHttp', ':2'],
  ['invalid JSON', '{\n  "storage": \n}', 'Line 3', ''],
])('tilelift policy check names the line of %s', async (_, text, place, line) => {
  const { code, stdout } = await checkPolicy(await cliHouse(), text);
  expect(code).toBe(2);
  expect(stdout).toContain(place);
  expect(stdout).toContain(line);
});

it('tilelift policy check names the fields of faulty watch rules, as JSON too', async () => {
  const { code, stdout } = await checkPolicy(await cliHouse(), '{ "watchRules": [{ "name": 3 }] }', '--json');
  const events = jsonLines(stdout);
  expect(code).toBe(2);
  expect(events.length).toBeGreaterThan(1);
  expect(events[0]).toMatchObject({ event: 'problem', line: 1 });
  for (const event of events) expect(jsonLineSchema.safeParse(event).error).toBeUndefined();
});
