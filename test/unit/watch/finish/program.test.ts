import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledArguments, programEnvironment } from '../../../../main/watch/finish/run-program.ts';
import { watchRuleSchema } from '../../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const facts = { assetId: 7, source: '/in/a b', receipt: '/in/a b.tilelift.json', outcome: 'complete' };

describe('the arguments of a program', () => {
  it('have placeholders as a whole or within', () => {
    const program = { file: '/bin/x', arguments: ['{source}', '--id={asset-id}', '{other} {outcome}'] };
    expect(filledArguments(program, facts)).toEqual(['/in/a b', '--id=7', '{other} complete']);
  });

  it('are as many as were set, whatever a name holds, and names are not filled in once more', () => {
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

it('a program gets none of our environment but what it needs to find its way', () => {
  expect(
    programEnvironment({ PATH: '/bin', HOME: '/me', TILELIFT_TOKEN: 'secret', AWS_SECRET_ACCESS_KEY: 'x' }),
  ).toEqual({
    ...{ PATH: '/bin', HOME: '/me' },
  });
});

it('a rule brings no program along, whoever wrote it', () => {
  const rule = {
    ...aWatchRule({ folder: import.meta.dirname }),
    program: { file: '/bin/sh', arguments: [] },
  };
  expect(watchRuleSchema.parse(rule)).not.toHaveProperty('program');
  expect(watchRuleSchema.parse({ ...rule, programs: {} })).not.toHaveProperty('programs');
});
