import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../../../main/ports.ts';
import { type Computer, setUpComputer } from '../signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

type Body = 'form' | 'json';

/** A service that accepts one content type, and the received content types. */
function serviceAccepting(acceptedBody: Body, refusal: () => Response) {
  const sentBodies: Body[] = [];
  const fetchOnly: Fetch = async (url, init) => {
    if (!String(url).endsWith('/oauth/token')) return fetch(url, init);
    const type = new Headers(init?.headers).get('content-type') ?? '';
    const kind = type.startsWith('application/json') ? 'json' : 'form';
    sentBodies.push(kind);
    return kind === acceptedBody ? fetch(url, init) : refusal();
  };
  return { sent: sentBodies, fetch: fetchOnly };
}

async function signIn(fetchAs: Fetch) {
  const { account } = computer.launch({ fetch: fetchAs });
  await account.start();
  await computer.signIn(account);
  return account;
}

const refusals: readonly (readonly [string, () => Response])[] = [
  ['415', () => new Response('', { status: 415 })],
  [
    '415 with words',
    () => Response.json({ code: 'UnsupportedMediaType', message: 'JSON.' }, { status: 415 }),
  ],
  ['invalid_request', () => Response.json({ error: 'invalid_request' }, { status: 400 })],
  ['a bare 400', () => new Response('Bad Request', { status: 400 })],
  ['a missing field', () => Response.json({ message: 'grant_type is required' }, { status: 400 })],
];

describe('service that accepts only JSON token requests', () => {
  it.each(refusals)(
    'service that accepts only JSON token requests: signs in, is remembered and refreshes when it answers others with %s',
    async (_, refusal) => {
      const service = serviceAccepting('json', refusal);
      const account = await signIn(service.fetch);
      expect(account.state().kind).toBe('signed-in');
      expect(service.sent).toEqual(['form', 'json']);
      account.stop();

      const nextAccount = computer.launch({ fetch: service.fetch }).account;
      await nextAccount.start();
      computer.service.control.expireAccessTokens();
      expect(await nextAccount.serviceFor(computer.accountId).listAssets()).toEqual([]);
      expect(nextAccount.state().kind).toBe('signed-in');
      expect(service.sent).toEqual(['form', 'json', 'json']);
    },
  );

  it('G14: sends form-encoded token requests again once the service supports them', async () => {
    const account = await signIn(serviceAccepting('json', () => new Response('', { status: 415 })).fetch);
    account.stop();
    const service = serviceAccepting('form', () => new Response('', { status: 415 }));
    const nextAccount = computer.launch({ fetch: service.fetch }).account;
    await nextAccount.start();
    for (let refresh = 0; refresh < 2; refresh++) {
      computer.service.control.expireAccessTokens();
      expect(await nextAccount.serviceFor(computer.accountId).listAssets()).toEqual([]);
    }
    expect(service.sent).toEqual(['json', 'form', 'form']);
  });
});

it('sends a refused grant in one format only', async () => {
  const service = serviceAccepting('form', () => new Response('', { status: 415 }));
  const account = await signIn(service.fetch);
  computer.service.control.expireAccessTokens();
  computer.service.control.revokeRefreshTokens();
  await expect(account.serviceFor(computer.accountId).listAssets()).rejects.toThrow();
  expect(service.sent).toEqual(['form', 'form']);
});
