import { expect, it } from 'vitest';
import { accountFacts, clientIdProblem } from '../../../renderer/words/account.ts';
import { keychainAdvice, keychainTrouble } from '../../../renderer/words/keychain.ts';

const service = { name: 'Survey', baseUrl: 'https://api.example', authUrl: 'https://example' };

it('says of an account what differs from the usual, and no more', () => {
  const names = (facts: ReturnType<typeof accountFacts>) => facts.map(({ name }) => name);
  expect(
    names(accountFacts({ id: 'a', name: 'Survey', service, signedInBy: 'browser', endsSoonAt: null })),
  ).toEqual(['API address', 'Sign-in address']);
  const own = {
    id: 'a',
    name: 'Survey',
    service: { ...service, clientId: '4711' },
    signedInBy: 'access-token',
    endsSoonAt: null,
  } as const;
  expect(names(accountFacts(own))).toContain('Client ID');
  expect(names(accountFacts(own))).toContain('Signed in with');
});

it.each(['', ' 4711 ', 'https://example.com/tilelift.json'])(
  'finds nothing wrong with the client id %j',
  (id) => {
    expect(clientIdProblem(id)).toBeNull();
  },
);

it.each(['dcr:1', 'tilelift', 'https://'])('says what is wrong with the client id %j', (id) => {
  expect(clientIdProblem(id)).toMatch(/number/);
});

it('says what to install where there is no keychain, and what to unlock where it is locked', () => {
  expect(keychainTrouble('none')).toContain('no keychain');
  expect(keychainAdvice('none', 'linux')).toContain('gnome-keyring');
  expect(keychainTrouble('locked')).toContain('locked');
  expect(keychainAdvice('locked', 'darwin')).toContain('Keychain Access');
  expect(keychainAdvice('locked', 'linux')).toMatch(/^Unlock/);
});
