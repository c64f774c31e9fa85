import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledArguments, programEnvironment } from '../../../../main/run-program.ts';
import { watchRuleSchema } from '../../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const facts = { assetId: 7, source: '/in/a b', receipt: '/in/a b.tilelift.json', outcome: 'complete' };

describe('filledArguments()', () => {
  it('replaces placeholders in arguments and keeps unknown ones', () => {
    const program = { file: '/bin/x', arguments: ['{source}', '--id={asset-id}', '{other} {outcome}'] };
    expect(filledArguments(program, facts)).toEqual(['/in/a b', '--id=7', '{other} complete']);
  });

  it('keeps the number of arguments for any name and replaces no placeholders within names', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const program = { file: '/bin/x', arguments: ['{source}', 'end'] };
        expect(filledArguments(program, { ...facts, source: name })).toEqual([name, 'end']);
      }),
    );
    const source = '{receipt} $& $1';
    expect(filledArguments({ file: '/x', arguments: ['{source}'] }, { ...facts, source })).toEqual([source]);
  });
});

it('S118: passes a program only the environment variables it needs', () => {
  expect(
    programEnvironment({ PATH: '/bin', HOME: '/me', TILELIFT_TOKEN: 'secret', AWS_SECRET_ACCESS_KEY: 'x' }),
  ).toEqual({ ...{ PATH: '/bin', HOME: '/me' } });
});

it('S116: strips programs from every parsed rule', () => {
  const rule = {
    ...aWatchRule({ folder: import.meta.dirname }),
    program: { file: '/bin/sh', arguments: [] },
  };
  expect(watchRuleSchema.parse(rule)).not.toHaveProperty('program');
  expect(watchRuleSchema.parse({ ...rule, programs: {} })).not.toHaveProperty('programs');
});
