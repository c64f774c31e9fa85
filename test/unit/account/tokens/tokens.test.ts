import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redirectUri } from '../../../../main/account/model/model.ts';
import {
  endsSoonAt,
  hasExpired,
  isDue,
  tokenSetFrom,
  tokenSetOf,
  untilRenewalMs,
} from '../../../../main/account/tokens/tokens.ts';

const client = { clientId: 'dcr:1', redirectUri };
const minute = 60_000;
const day = 24 * 60 * minute;
const withLife = (ms: number) =>
  tokenSetFrom(
    { access_token: 'a', token_type: 'bearer', refresh_token: 'r', expires_in: ms / 1000 },
    client,
    0,
  );

it.each([
  ['a month', 30 * day, 27 * day],
  ['an hour', 60 * minute, 54 * minute],
  ['twenty minutes', 20 * minute, 15 * minute],
  ['two minutes', 2 * minute, minute],
])('isDue() refreshes a token that lives %s at the right time and not before', (_, life, dueAt) => {
  expect(isDue(withLife(life), dueAt - 1)).toBe(false);
  expect(isDue(withLife(life), dueAt)).toBe(true);
});

it('isDue() is false for a token without a known end', () => {
  const tokens = tokenSetFrom({ access_token: 'a', token_type: 'bearer' }, client, 0);
  expect(tokens).toMatchObject({ refreshToken: null, accessEndsAt: null, refreshEndsAt: null });
  expect(isDue(tokens, Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(hasExpired(tokens, Number.MAX_SAFE_INTEGER)).toBe(false);
});

it('isDue() is true before the token expires and false for a new token', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.nat({ max: 6_000_000 }), (seconds, at) => {
      const tokens = withLife(seconds * 1000);
      expect(isDue(tokens, 0)).toBe(false);
      if (hasExpired(tokens, at * 1000)) expect(isDue(tokens, at * 1000)).toBe(true);
    }),
  );
});

describe('refreshed tokens', () => {
  const previous = tokenSetFrom(
    {
      access_token: 'a1',
      token_type: 'bearer',
      refresh_token: 'r1',
      expires_in: 10,
      refresh_token_expires_in: 100,
    },
    client,
    1000,
  );

  it('refreshed tokens replace the old ones', () => {
    const answer = { access_token: 'a2', token_type: 'bearer', refresh_token: 'r2', expires_in: 20 };
    expect(tokenSetFrom(answer, client, 5000, previous)).toEqual({
      accessToken: 'a2',
      refreshToken: 'r2',
      issuedAt: 5000,
      accessEndsAt: 25_000,
      refreshEndsAt: null,
      clientId: 'dcr:1',
    });
  });

  it('refreshed tokens keep the refresh token when the response has none', () => {
    const tokensAfter = tokenSetFrom({ access_token: 'a2', token_type: 'bearer' }, client, 5000, previous);
    expect(tokensAfter).toMatchObject({
      accessToken: 'a2',
      refreshToken: 'r1',
      refreshEndsAt: 101_000,
      accessEndsAt: null,
    });
  });
});

describe('endsSoonAt()', () => {
  const lifetimes = { expires_in: (30 * day) / 1000, refresh_token_expires_in: (60 * day) / 1000 };
  const firstTokens = tokenSetFrom(
    { access_token: 'a', token_type: 'bearer', refresh_token: 'r', ...lifetimes },
    client,
    0,
  );

  it('endsSoonAt() is null while Tilelift renews the sign-in', () => {
    for (const now of [0, 29 * day, 44 * day]) expect(endsSoonAt(firstTokens, now)).toBeNull();
  });

  it('endsSoonAt() reports the end when renewing has failed until days before', () => {
    expect(endsSoonAt(firstTokens, 53 * day)).toBe(60 * day);
  });

  it('endsSoonAt() reports the end a week ahead when a refresh extends nothing', () => {
    const fixed = tokenSetFrom(
      {
        access_token: 'b',
        token_type: 'bearer',
        ...lifetimes,
        refresh_token_expires_in: (33 * day) / 1000,
        refresh_token: 'r2',
      },
      client,
      27 * day,
      firstTokens,
    );
    expect(fixed).toMatchObject({ refreshIsLast: true, refreshEndsAt: 60 * day });
    expect(endsSoonAt(fixed, 53 * day - 1)).toBeNull();
    expect(endsSoonAt(fixed, 53 * day)).toBe(60 * day);
    expect(untilRenewalMs(fixed, 30 * day)).toBe(24 * day);
  });

  it('endsSoonAt() reports the end a week ahead when the refresh was refused', () => {
    const refusedTokens = { ...firstTokens, refreshToken: null, refreshEndsAt: null };
    expect(endsSoonAt(refusedTokens, 23 * day - 1)).toBeNull();
    expect(endsSoonAt(refusedTokens, 23 * day)).toBe(30 * day);
  });

  it('endsSoonAt() reports the end that a token from the settings contains', () => {
    const claims = Buffer.from(JSON.stringify({ exp: (90 * day) / 1000 })).toString('base64url');
    const tokens = tokenSetOf(`eyJhbGciOiJub25lIn0.${claims}.x`, 0);
    expect(endsSoonAt(tokens, 80 * day)).toBeNull();
    expect(endsSoonAt(tokens, 84 * day)).toBe(90 * day);
    for (const opaque of ['opaque', 'a.b.c', `x.${Buffer.from('{"exp":"soon"}').toString('base64url')}.y`])
      expect(tokenSetOf(opaque, 0).accessEndsAt).toBeNull();
  });

  it('endsSoonAt() agrees with untilRenewalMs()', () => {
    expect(untilRenewalMs(firstTokens, 0)).toBe(27 * day);
    const shortTokens = tokenSetFrom(
      {
        access_token: 'a',
        token_type: 'bearer',
        refresh_token: 'r',
        ...lifetimes,
        refresh_token_expires_in: (10 * day) / 1000,
      },
      client,
      0,
    );
    expect(untilRenewalMs(shortTokens, day)).toBe(4 * day);
    expect(untilRenewalMs(shortTokens, 6 * day)).toBe(0);
    expect(untilRenewalMs(tokenSetOf('opaque', 0), 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
