import { describe, expect, it } from 'vitest';
import { policyRuleId, readPolicyRules } from '../../../../main/watch/rules/policy-rules.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const folder = process.platform === 'win32' ? 'D:\\data' : '/data';
const { accountId: _, on: __, ...north } = aWatchRule({ id: 'north', folder });
const textOf = (...watchRules: readonly object[]) => JSON.stringify({ watchRules }, null, 2);
const faultsOf = (text: string) =>
  readPolicyRules(text).faulty.flatMap(({ problems }) =>
    problems.map(({ line, column, field, what }) => `${line}:${column} ${field} ${sayPhrase(what)}`),
  );

describe('readPolicyRules()', () => {
  it('reads rules like a rules file, but on by default', () => {
    const { rules, faulty } = readPolicyRules(textOf(north, { ...north, id: 'south', on: false }));
    expect(faulty).toEqual([]);
    expect(rules).toEqual([
      { rule: { ...north, id: policyRuleId('north'), on: true }, service: null, accountId: null },
      { rule: { ...north, id: policyRuleId('south'), on: false }, service: null, accountId: null },
    ]);
  });

  it('accepts a service instead of an account and normalizes its address', () => {
    const { rules } = readPolicyRules(textOf({ ...north, service: 'API.Office.example/' }));
    expect(rules[0]?.service).toBe('https://api.office.example');
    expect(faultsOf(textOf({ ...north, service: 'http://api.office.example' }))).toEqual([
      expect.stringMatching(/ watchRules\[0\]\.service is not valid here$/),
    ]);
  });

  it('identifies rules without an ID by folder and name', () => {
    const { id: ___, ...nameless } = north;
    const [before] = readPolicyRules(textOf(nameless)).rules;
    const [after] = readPolicyRules(
      textOf({ ...nameless, unit: { kind: 'files', patterns: ['*.las', '*.laz'] }, settleSeconds: 60 }),
    ).rules;
    expect(after?.rule.id).toBe(before?.rule.id);
    const [other] = readPolicyRules(textOf({ ...nameless, folder: `${folder}2` })).rules;
    expect(other?.rule.id).not.toBe(before?.rule.id);
  });

  it('reports invalid rules by line, column and field, and reads the others', () => {
    const text = `{
  "watchRules": [
    ${JSON.stringify({ ...north, settleSeconds: 0, foldr: 1 })},
    ${JSON.stringify({ ...north, id: 'south' })},
    7
  ]
}`;
    const { rules, faulty } = readPolicyRules(text);
    expect(rules.map(({ rule }) => rule.id)).toEqual([policyRuleId('south')]);
    expect(faulty.map(({ id, name }) => [id, name])).toEqual([
      [policyRuleId('north'), north.name],
      [null, null],
    ]);
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^3:\d+ watchRules\[0\]\.settleSeconds must be at least 1$/),
      '5:5 watchRules[2] must be an object in curly brackets',
    ]);
    expect(faultsOf(textOf({ ...north, foldr: 1 }))).toEqual([
      expect.stringMatching(/ watchRules\[0\]\.foldr is unknown$/),
    ]);
  });

  it('keeps only the first of two rules with the same ID', () => {
    const { rules, faulty } = readPolicyRules(textOf(north, { ...north, name: 'Second' }));
    expect(rules.map(({ rule }) => rule.name)).toEqual([north.name]);
    expect(faulty).toMatchObject([{ id: null, name: 'Second' }]);
  });

  it('returns no rules if watchRules isn’t a list', () => {
    expect(readPolicyRules('{}')).toEqual({ rules: [], faulty: [] });
    expect(faultsOf('{\n  "watchRules": {}\n}')).toEqual([
      '2:3 watchRules must be a list in square brackets',
    ]);
  });

  it('S92: rejects policy rules that contain a program', () => {
    const programs = { success: { file: '/bin/sh', arguments: [] }, failure: null };
    const { rules } = readPolicyRules(textOf({ ...north, programs }));
    expect(rules).toEqual([]);
    expect(faultsOf(textOf({ ...north, programs }))).toEqual([
      expect.stringMatching(/ watchRules\[0\]\.programs is unknown$/),
    ]);
  });

  it('reports one error for rules nested too deeply to parse safely', () => {
    const deep = `{ "watchRules": ${'[{"a":'.repeat(6_000)}1${'}]'.repeat(6_000)} }`;
    expect(faultsOf(deep)).toEqual([
      expect.stringMatching(/^1:\d+ watchRules lists and objects are nested too deeply$/),
    ]);
    expect(readPolicyRules(deep)).toMatchObject({ rules: [], faulty: [{ id: null }] });
  });
});
