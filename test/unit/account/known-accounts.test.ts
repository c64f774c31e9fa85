import { describe, expect, it } from 'vitest';
import { createKnownAccounts } from '../../../main/account/known-accounts.ts';
import { accountIdOf } from '../../../main/account/model/model.ts';
import { accountTitle } from '../../../shared/accounts.ts';
import { settingsInMemory } from './stand-ins.ts';

const here = 'https://api.example';
const there = 'https://tiles.example';
const nobody = () => false;
const everyone = () => true;

describe('the account of a sign-in', () => {
  it('the account of a sign-in is the service’s first one, as in earlier versions, while the service has none', () => {
    const known = createKnownAccounts(settingsInMemory());
    known.recordSignIn(accountIdOf(there), there);
    expect(known.idFor(here, undefined, everyone)).toBe(accountIdOf(here));
  });

  it('the account of a sign-in is the only signed-out account, or a new one while it is signed in', () => {
    const known = createKnownAccounts(settingsInMemory());
    known.recordSignIn('a', here);
    expect(known.idFor(here, undefined, nobody)).toBe('a');
    expect(known.idFor(here, undefined, everyone)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('the account of a sign-in is never guessed from several, whose uploads may be someone else’s', () => {
    const known = createKnownAccounts(settingsInMemory());
    known.recordSignIn('a', here);
    known.recordSignIn('b', here);
    const ids = [known.idFor(here, undefined, nobody), known.idFor(here, undefined, nobody)];
    expect(new Set(['a', 'b', ...ids]).size).toBe(4);
    expect(known.idFor(here, 'b', nobody)).toBe('b');
  });

  it('the account of a sign-in is refused when it belongs to another service or is unknown', () => {
    const known = createKnownAccounts(settingsInMemory());
    known.recordSignIn('a', here);
    for (const id of ['a', 'x'])
      expect(() => known.idFor(there, id, nobody)).toThrow(
        expect.objectContaining({ code: 'not-signed-in' }),
      );
  });
});

describe('stored accounts', () => {
  it('stored accounts are numbered by service and keep their names until forgotten', () => {
    const known = createKnownAccounts(settingsInMemory());
    known.recordSignIn('a', here);
    known.recordSignIn('b', there);
    known.recordSignIn('c', here);
    expect(known.list().map((item) => accountTitle(item, 'Service'))).toEqual([
      'Service',
      'Service',
      'Service (2)',
    ]);
    known.rename('c', 'Field crew');
    known.recordSignOut('c');
    expect(known.list()[2]).toMatchObject({ id: 'c', name: 'Field crew', signedOut: true });
    known.recordSignIn('c', here);
    expect(known.list()[2]).toMatchObject({ name: 'Field crew', signedOut: false });
    known.forget('a');
    known.recordSignIn('d', here);
    expect(known.list().map(({ id, number }) => [id, number])).toEqual([
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ]);
  });

  it('stored accounts adopt accounts with tokens that the settings lack, once', () => {
    const known = createKnownAccounts(settingsInMemory());
    for (const _again of [1, 2]) known.adopt([{ id: 'x', baseUrl: here }]);
    expect(known.list().map(({ id, signedOut }) => [id, signedOut])).toEqual([['x', false]]);
  });

  it('stored accounts skip one that this version can’t read', () => {
    const good = { id: 'a', baseUrl: here, name: null, number: 1, signedOut: false };
    const settings = settingsInMemory({ accounts: [good, { ...good, number: 'x' } as never] });
    expect(createKnownAccounts(settings).list()).toEqual([good]);
  });
});
