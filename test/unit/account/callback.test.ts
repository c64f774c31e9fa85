import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCallback } from '../../../main/account/model/callback.ts';
import { redirectUri } from '../../../main/account/model/model.ts';

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
  minLength: 1,
});

it('parseCallback reads code and state from any address of a service', () => {
  fc.assert(
    fc.property(printable, printable, (code, state) => {
      const address = `${redirectUri}?${new URLSearchParams({ code, state })}`;
      expect(parseCallback(address)).toEqual({ kind: 'granted', code, state, iss: null });
    }),
  );
});

it('parseCallback reads a refusal', () => {
  const address = `${redirectUri}?error=access_denied&error_description=No%20thanks&state=s`;
  expect(parseCallback(address)).toEqual({
    kind: 'refused',
    error: 'access_denied',
    description: 'No thanks',
    state: 's',
    iss: null,
  });
});

it.each([
  ['spaces around it, as pasting leaves them', `  ${redirectUri}?code=c&state=s\n`],
  ['the scheme in capitals', 'TILELIFT://oauth/callback?code=c&state=s'],
  ['a parameter that nobody knows', `${redirectUri}?code=c&state=s&session_state=x`],
  ['the fragment of the page before', `${redirectUri}?code=c&state=s#_=_`],
])('parseCallback accepts %s', (_, address) => {
  expect(parseCallback(address)).toEqual({ kind: 'granted', code: 'c', state: 's', iss: null });
});

it('parseCallback returns the issuer', () => {
  const address = `${redirectUri}?code=c&state=s&iss=https%3A%2F%2Fservice.example`;
  expect(parseCallback(address)).toMatchObject({ iss: 'https://service.example' });
  expect(parseCallback(`${address}&iss=https%3A%2F%2Fother.example`)).toBeNull();
});

it('parseCallback reports a missing state', () => {
  expect(parseCallback(`${redirectUri}?code=c`)).toEqual({
    kind: 'granted',
    code: 'c',
    state: null,
    iss: null,
  });
});

it.each([
  '',
  'code=c&state=s',
  redirectUri,
  `${redirectUri}?`,
  `${redirectUri}?code=&state=s`,
  `${redirectUri}?code=c&state=`,
  `${redirectUri}?state=s`,
  `${redirectUri}?code=c&error=e&state=s`,
  `${redirectUri}?code=c&code=d&state=s`,
  `${redirectUri}?code=c&state=s&state=t`,
  `${redirectUri}?code=c%00&state=s`,
  `${redirectUri}?code=c&state=%C3%A4`,
  `${redirectUri}/?code=c&state=s`,
  `${redirectUri}x?code=c&state=s`,
  'tilelift://oauth/other?code=c&state=s',
  'tilelift://evil/callback?code=c&state=s',
  'tilelift://oauth:80/callback?code=c&state=s',
  'tilelift://me@oauth/callback?code=c&state=s',
  'tilelift:oauth/callback?code=c&state=s',
  'https://oauth/callback?code=c&state=s',
  `${redirectUri}?code=c&state=s --inspect`,
  `${redirectUri}?code=${'c'.repeat(9000)}&state=s`,
])('parseCallback refuses %s', (address) => expect(parseCallback(address)).toBeNull());

it('parseCallback never throws, and accepts only our address with one code or one error', () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.string().map((suffix) => redirectUri + suffix),
    fc.string().map((suffix) => `${redirectUri}?code=c&${suffix}`),
  );
  fc.assert(
    fc.property(text, (address) => {
      const callback = parseCallback(address);
      if (!callback) return;
      expect(address.trim().toLowerCase().startsWith(`${redirectUri}?`)).toBe(true);
      expect(callback.kind === 'granted' ? callback.code : callback.error).not.toBe('');
    }),
    { numRuns: 1000 },
  );
});
