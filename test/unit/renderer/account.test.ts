import { expect, it } from 'vitest';
import { accountFacts, clientIdProblem, isSilence } from '../../../renderer/words/account.ts';
import { keychainAdvice, keychainTrouble } from '../../../renderer/words/keychain.ts';

const service = { name: 'Survey', baseUrl: 'https://api.example', authUrl: 'https://example' };

it('accountFacts() lists only unusual facts of an account', () => {
  const names = (facts: ReturnType<typeof accountFacts>) => facts.map(({ name }) => name);
  expect(
    names(accountFacts({ id: 'a', name: 'Survey', service, signedInBy: 'browser', endsSoonAt: null })),
  ).toEqual(['API address', 'Sign-in address']);
  const ownAccount = {
    id: 'a',
    name: 'Survey',
    service: { ...service, clientId: '4711' },
    signedInBy: 'access-token',
    endsSoonAt: null,
  } as const;
  expect(names(accountFacts(ownAccount))).toContain('Client ID');
  expect(names(accountFacts(ownAccount))).toContain('Signed in with');
});

it.each(['', ' 4711 ', 'https://example.com/tilelift.json'])('clientIdProblem() accepts %j', (id) => {
  expect(clientIdProblem(id)).toBeNull();
});

it.each(['dcr:1', 'tilelift', 'https://'])('clientIdProblem() explains what is wrong with %j', (id) => {
  expect(clientIdProblem(id)).toMatch(/number/);
});

it('keychain advice says what to install when it is missing and to unlock when it is locked', () => {
  expect(keychainTrouble('none')).toContain('no keychain');
  expect(keychainAdvice('none', 'linux')).toContain('gnome-keyring');
  expect(keychainTrouble('locked')).toContain('locked');
  expect(keychainAdvice('locked', 'darwin')).toContain('Keychain Access');
  expect(keychainAdvice('locked', 'linux')).toMatch(/^Unlock/);
});

it('a service is silent if it, a proxy or a portal in between gives no answer of its own', () => {
  for (const code of [
    'service-unreachable',
    'service-unavailable',
    'foreign-answer',
    'proxy-unreachable',
  ] as const)
    expect(isSilence({ code })).toBe(true);
  expect(isSilence({ code: 'request-refused' })).toBe(false);
  expect(isSilence(null)).toBe(false);
});
