import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRulesFile, rulesFileText } from '../../../../main/watch/rules/rules-file.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const folder = process.platform === 'win32' ? 'D:\\data' : '/data';
const north = aWatchRule({ id: 'north', folder });
const south = aWatchRule({ id: 'south', folder: join(folder, 'south') });

const problemsOf = (text: string) => {
  const file = readRulesFile(text);
  if (file.kind === 'rules') return [];
  return file.problems.map(
    ({ line, column, field, what }) => `${line}:${column} ${field} ${sayPhrase(what)}`,
  );
};
const withRule = (change: object) => rulesFileText([{ ...north, ...change }]);

describe('readRulesFile()', () => {
  it('reads back written rules', () => {
    const file = readRulesFile(rulesFileText([north, south]));
    expect(file).toEqual({ kind: 'rules', rules: [north, south] });
  });

  it('accepts rules without ID and account, and turns them off by default', () => {
    const { id: _, accountId: __, on: ___, ...rule } = north;
    const file = readRulesFile(`\uFEFF${JSON.stringify({ schemaVersion: 1, rules: [rule] })}`);
    expect(file).toEqual({ kind: 'rules', rules: [{ ...rule, on: false }] });
  });

  it('requires only folder, unit and source type', () => {
    const rule = {
      folder: join(folder, 'incoming'),
      unit: { kind: 'entries' },
      sourceType: 'RASTER_IMAGERY',
    };
    const {
      id: _,
      accountId: __,
      ...usual
    } = aWatchRule({
      ...{ ...rule, unit: { kind: 'entries' }, name: 'incoming', assetType: 'IMAGERY' },
      ...{ whenChanged: 'hold', on: false },
    });
    const file = readRulesFile(JSON.stringify({ schemaVersion: 1, rules: [rule] }));
    expect(file).toEqual({ kind: 'rules', rules: [usual] });
  });

  it('asks for an absolute path instead of a relative folder', () => {
    const example = process.platform === 'win32' ? 'D:\\incoming' : '/srv/incoming';
    expect(problemsOf(withRule({ folder: 'incoming/drones' }))).toEqual([
      expect.stringMatching(/ rules\[0\]\.folder /),
    ]);
    expect(problemsOf(withRule({ folder: 'incoming/drones' }))[0]).toContain(
      `is relative. Enter an absolute path on this computer, such as ${example}`,
    );
  });

  it('reports all errors of a rules file by line, column and field', () => {
    const text = `{
  "schemaVersion": 1,
  "rules": [
    ${JSON.stringify({ ...north, settleSeconds: 0 })},
    ${JSON.stringify({ ...south, folder: undefined, unit: { kind: 'moon' }, colour: 1 })}
  ]
}`;
    const problems = problemsOf(text);
    expect(problems.map((line) => line.replace(/^(\d+):\d+ /, '$1 '))).toEqual([
      '4 rules[0].settleSeconds must be at least 1',
      '5 rules[1].folder is missing',
      '5 rules[1].unit.kind must be one of these: entries, files, folders, whole-folder, batch',
      '5 rules[1].colour is unknown',
    ]);
    expect(problems[1]).toMatch(/^5:5 /);
  });

  it('rejects unknown keys at any depth', () => {
    expect(problemsOf(withRule({ unit: { kind: 'entries', deep: 1 }, foldr: 'x' }))).toEqual([
      expect.stringMatching(/^\d+:9 rules\[0\]\.unit\.deep is unknown$/),
      expect.stringMatching(/^\d+:7 rules\[0\]\.foldr is unknown$/),
    ]);
  });

  it('names a misspelled root key next to the missing one', () => {
    expect(problemsOf('{ "schemaVersion": 1, "rulez": [] }')).toEqual([
      expect.stringMatching(/rules is missing$/),
      expect.stringMatching(/rulez is unknown$/),
    ]);
  });

  it('rejects duplicate keys and IDs', () => {
    const twice = withRule({}).replace('"shared":', '"on": true,\n      "shared":');
    expect(problemsOf(twice)).toEqual([expect.stringMatching(/rules\[0\]\.on appears twice$/)]);
    expect(problemsOf(rulesFileText([north, { ...south, id: 'north' }]))).toEqual([
      expect.stringMatching(/rules\[1\]\.id is already used by another rule$/),
    ]);
  });

  it('rejects invalid JSON and later versions', () => {
    expect(problemsOf('{\n  "rules": [,]\n}')).toEqual(['2:13  a value is missing']);
    expect(problemsOf('')).toEqual(['1:1  a value is missing']);
    expect(problemsOf('{"rules": [], } ')).toHaveLength(1);
    expect(problemsOf(rulesFileText([north]).replace('1', '2'))).toEqual([
      '2:3 schemaVersion must be one of these: 1',
    ]);
  });

  it('rejects a rules file nested too deeply to parse safely', () => {
    const deep = `{\n"schemaVersion": 1, "rules": ${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}}`;
    expect(problemsOf(deep)).toEqual([
      expect.stringMatching(/^2:\d+ {2}lists and objects are nested too deeply$/),
    ]);
  });

  it('reads the example in docs/rules-file.md', async () => {
    const text = await readFile('docs/rules-file.md', 'utf8');
    const example = /```json\n(.*?)```/s.exec(text)?.[1] ?? '';
    expect(problemsOf(process.platform === 'win32' ? example.replaceAll('"/', '"D:/') : example)).toEqual([]);
  });
});
