import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPendingSignIn, signInLifeMs } from '../../../main/account/model/authorization-request.ts';

const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com/ion' };

it('createPendingSignIn() requests a code with the verifier’s hash, our state and all scopes', async () => {
  const pendingSignIn = await createPendingSignIn(address, 'acc', 'dcr:abc', 1000);
  const link = new URL(pendingSignIn.link);
  expect(`${link.origin}${link.pathname}`).toBe('https://example.com/ion/oauth');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'dcr:abc',
    redirect_uri: 'tilelift://oauth/callback',
    scope: 'assets:list assets:read assets:write',
    state: pendingSignIn.state,
    code_challenge: createHash('sha256').update(pendingSignIn.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  expect(pendingSignIn.endsAt).toBe(1000 + signInLifeMs);
  expect(pendingSignIn.link).not.toContain(pendingSignIn.verifier);
});

it('createPendingSignIn() uses new 256-bit values for state and verifier each time', async () => {
  const requests = await Promise.all([1, 2].map(() => createPendingSignIn(address, 'acc', 'dcr:abc', 0)));
  const values = requests.flatMap(({ state, verifier }) => [state, verifier]);
  for (const value of values) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  expect(new Set(values).size).toBe(4);
});
