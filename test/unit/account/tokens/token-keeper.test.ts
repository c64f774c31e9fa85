import { describe, expect, it, vi } from 'vitest';
import { redirectUri } from '../../../../main/account/model/model.ts';
import type { OAuthEndpoints } from '../../../../main/account/tokens/oauth-endpoints.ts';
import type { TokenAnswer } from '../../../../main/account/tokens/token-answer.ts';
import { createTokenKeeper } from '../../../../main/account/tokens/token-keeper.ts';
import { type KeptAccount, tokenSetFrom } from '../../../../main/account/tokens/tokens.ts';
import { TileliftError } from '../../../../main/errors.ts';
import { manualClock } from '../stand-ins.ts';

const hour = 3_600_000;
const client = { clientId: 'dcr:1', redirectUri };

function keeperOver(firstAnswer: TokenAnswer, ...refreshes: (TokenAnswer | Error | Promise<TokenAnswer>)[]) {
  const clock = manualClock(0);
  const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };
  const keptAccount: KeptAccount = { address, tokens: tokenSetFrom(firstAnswer, client, 0) };
  const storedTokens: (string | undefined)[] = [];
  const refresh = vi.fn(async (_grant: Parameters<OAuthEndpoints['refresh']>[0]) => {
    const answer = refreshes.shift();
    if (!answer) throw new Error('no answer was prepared');
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const onEnded = vi.fn();
  const keeper = createTokenKeeper({
    storedAccount: keptAccount,
    endpointsAt: () => ({ refresh }),
    clock,
    store: (nextAccount) => storedTokens.push(nextAccount?.tokens.accessToken),
    onEnded,
  });
  return { keeper, clock, refresh, stored: storedTokens, onEnded, kept: keptAccount };
}

const answer = (n: number, fields: Partial<TokenAnswer> = {}): TokenAnswer => ({
  access_token: `a${n}`,
  token_type: 'bearer',
  refresh_token: `r${n}`,
  expires_in: hour / 1000,
  ...fields,
});
const unreachableError = () => new TileliftError('service-unreachable');
const refusedError = () => new TileliftError('invalid-credentials');

describe('createTokenKeeper()', () => {
  it('createTokenKeeper() returns its token until a refresh is due, and stores the new one before returning it', async () => {
    const { keeper, clock, refresh, stored: storedTokens } = keeperOver(answer(1), answer(2));
    expect(await keeper.bearer()).toBe('a1');
    clock.advance(54 * 60_000);
    expect(await keeper.bearer()).toBe('a2');
    expect(refresh.mock.calls).toEqual([[{ ...client, refreshToken: 'r1' }]]);
    expect(storedTokens).toEqual(['a2']);
  });

  it('createTokenKeeper() uses the rotated refresh token the next time', async () => {
    const { keeper, refresh } = keeperOver(answer(1), answer(2), answer(3));
    await keeper.renew('a1');
    await keeper.renew('a2');
    expect(refresh.mock.calls.map(([grant]) => grant.refreshToken)).toEqual(['r1', 'r2']);
  });

  it('createTokenKeeper() refreshes once for all requests refused with the same token', async () => {
    const { keeper, refresh } = keeperOver(answer(1), answer(2));
    await Promise.all(Array.from({ length: 20 }, () => keeper.renew('a1')));
    await keeper.renew('a1');
    expect(refresh).toHaveBeenCalledOnce();
    expect(await keeper.bearer()).toBe('a2');
  });

  it('createTokenKeeper() signs out once when the service refuses the refresh', async () => {
    const { keeper, stored: storedTokens, onEnded } = keeperOver(answer(1), refusedError());
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => keeper.renew('a1')));
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(onEnded).toHaveBeenCalledOnce();
    expect(storedTokens).toEqual([undefined]);
    await expect(keeper.bearer()).rejects.toMatchObject({ code: 'not-signed-in' });
  });

  it('createTokenKeeper() keeps the tokens when the service is unreachable, and reports a retryable error', async () => {
    const { keeper, stored: storedTokens, onEnded } = keeperOver(answer(1), unreachableError(), answer(2));
    await expect(keeper.renew('a1')).rejects.toMatchObject({ code: 'service-unreachable', retryable: true });
    expect(storedTokens).toEqual([]);
    expect(onEnded).not.toHaveBeenCalled();
    await keeper.renew('a1');
    expect(await keeper.bearer()).toBe('a2');
  });

  it('createTokenKeeper() continues with a valid token while refreshes fail, trying once a minute', async () => {
    const { keeper, clock, refresh } = keeperOver(
      answer(1),
      unreachableError(),
      unreachableError(),
      unreachableError(),
    );
    clock.advance(55 * 60_000);
    expect(await keeper.bearer()).toBe('a1');
    expect(await keeper.bearer()).toBe('a1');
    expect(refresh).toHaveBeenCalledTimes(1);
    clock.advance(60_000);
    expect(await keeper.bearer()).toBe('a1');
    expect(refresh).toHaveBeenCalledTimes(2);
    clock.advance(5 * 60_000);
    await expect(keeper.bearer()).rejects.toMatchObject({ code: 'service-unreachable' });
  });

  it('createTokenKeeper() works without a refresh token until the service refuses the access token', async () => {
    const { keeper, clock, refresh, onEnded } = keeperOver({
      access_token: 'a1',
      token_type: 'bearer',
      expires_in: 60,
    });
    clock.advance(hour);
    expect(await keeper.bearer()).toBe('a1');
    await expect(keeper.renew('a1')).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(refresh).not.toHaveBeenCalled();
    expect(onEnded).toHaveBeenCalledOnce();
  });

  it('createTokenKeeper() continues with a valid token after a refused refresh, and does not retry', async () => {
    const { keeper, clock, refresh, stored: storedTokens, onEnded } = keeperOver(answer(1), refusedError());
    clock.advance(55 * 60_000);
    expect(await keeper.bearer()).toBe('a1');
    clock.advance(10 * 60_000);
    expect(await keeper.bearer()).toBe('a1');
    expect(refresh).toHaveBeenCalledOnce();
    expect(storedTokens).toEqual(['a1']);
    expect(onEnded).not.toHaveBeenCalled();
    await expect(keeper.renew('a1')).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(refresh).toHaveBeenCalledOnce();
    expect(onEnded).toHaveBeenCalledOnce();
  });

  it('createTokenKeeper() signs out immediately when a request with a refused token awaits the refused refresh', async () => {
    const lateAnswer = Promise.withResolvers<TokenAnswer>();
    const { keeper, clock, refresh, onEnded } = keeperOver(answer(1), lateAnswer.promise);
    clock.advance(55 * 60_000);
    const earlyBearer = keeper.bearer();
    const refusedOne = keeper.renew('a1');
    lateAnswer.reject(refusedError());
    const results = await Promise.allSettled([earlyBearer, refusedOne]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(refresh).toHaveBeenCalledOnce();
    expect(onEnded).toHaveBeenCalledOnce();
  });

  it.each([-30_000, 5 * 60_000, 40 * 60_000])(
    'createTokenKeeper() pauses for a minute, whatever the clock is set by (%i ms)',
    async (ms) => {
      const { keeper, clock, refresh } = keeperOver(
        answer(1, { expires_in: (10 * hour) / 1000 }),
        unreachableError(),
        answer(2),
      );
      clock.advance(9 * hour);
      expect(await keeper.bearer()).toBe('a1');
      clock.jump(ms);
      if (ms < 0) clock.advance(-ms);
      else clock.advance(30_000);
      await keeper.bearer();
      clock.advance(29_999);
      await keeper.bearer();
      expect(refresh).toHaveBeenCalledTimes(1);
      clock.advance(1);
      expect(await keeper.bearer()).toBe('a2');
    },
  );

  describe('createTokenKeeper() while unused', () => {
    const lifetimes = { expires_in: 30 * 24 * 3600, refresh_token_expires_in: 20 * 24 * 3600 };
    const day = 24 * hour;

    it('createTokenKeeper() while unused refreshes after half of the refresh token’s life, and not before', async () => {
      const {
        keeper,
        clock,
        refresh,
        stored: storedTokens,
      } = keeperOver(answer(1, lifetimes), answer(2, lifetimes));
      clock.advance(10 * day - 1);
      await keeper.keepFresh();
      expect(refresh).not.toHaveBeenCalled();
      clock.advance(1);
      await keeper.keepFresh();
      await keeper.keepFresh();
      expect(refresh.mock.calls).toEqual([[{ ...client, refreshToken: 'r1' }]]);
      expect(storedTokens).toEqual(['a2']);
    });

    it('G15: stays signed in for a year', async () => {
      const answers = Array.from({ length: 60 }, (_, n) => answer(n + 2, lifetimes));
      const { keeper, clock, onEnded } = keeperOver(answer(1, lifetimes), ...answers);
      for (let days = 0; days < 365; days++) {
        clock.advance(day);
        await keeper.keepFresh();
      }
      expect(onEnded).not.toHaveBeenCalled();
      expect(await keeper.bearer()).toMatch(/^a/);
    });

    it('createTokenKeeper() while unused retries after a failure and ends nothing', async () => {
      const { keeper, clock, refresh, onEnded } = keeperOver(
        answer(1, lifetimes),
        unreachableError(),
        answer(2, lifetimes),
      );
      clock.advance(10 * day);
      await keeper.keepFresh();
      await keeper.keepFresh();
      expect(refresh).toHaveBeenCalledTimes(1);
      clock.advance(60_000);
      await keeper.keepFresh();
      expect(await keeper.bearer()).toBe('a2');
      expect(onEnded).not.toHaveBeenCalled();
    });

    it('createTokenKeeper() while unused does not repeat a refresh that extends nothing', async () => {
      const { refresh_token: _, ...fixed } = answer(2, { expires_in: lifetimes.expires_in });
      const { keeper, clock, refresh } = keeperOver(answer(1, lifetimes), fixed, fixed, fixed);
      clock.advance(10 * day);
      for (let hours = 0; hours < 100; hours++) {
        clock.advance(hour);
        await keeper.keepFresh();
      }
      expect(refresh).toHaveBeenCalledTimes(1);
    });
  });

  it('createTokenKeeper() drops the result of a refresh after sign-out', async () => {
    const lateAnswer = Promise.withResolvers<TokenAnswer>();
    const { keeper, stored: storedTokens } = keeperOver(answer(1), lateAnswer.promise);
    const renewal = keeper.renew('a1');
    keeper.replace(null);
    lateAnswer.resolve(answer(2));
    await renewal;
    expect(storedTokens).toEqual([undefined]);
    await expect(keeper.bearer()).rejects.toMatchObject({ code: 'not-signed-in' });
  });

  it('createTokenKeeper() keeps a newer sign-in when old tokens end', async () => {
    const lateAnswer = Promise.withResolvers<TokenAnswer>();
    const { keeper, kept: keptAccount, onEnded } = keeperOver(answer(1), lateAnswer.promise, answer(10));
    const renewal = keeper.renew('a1');
    keeper.replace({ ...keptAccount, tokens: tokenSetFrom(answer(9), client, 0) });
    const newRenewal = keeper.renew('a9');
    lateAnswer.reject(refusedError());
    await renewal;
    await newRenewal;
    expect(onEnded).not.toHaveBeenCalled();
    expect(await keeper.bearer()).toBe('a10');
  });
});
