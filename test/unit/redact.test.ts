import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redact, redactedStart, secretNames, takeEnvironment } from '../../main/redact.ts';
import { growthOf, inProportion } from '../security/support/growth.ts';

const token = fc.stringMatching(/^[A-Za-z0-9_-]{24,60}$/);

it.each([
  ['Authorization: Bearer abcDEF123._~+/=-', 'Authorization: Bearer [redacted]'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', 'token [redacted] here'],
  ['key AKIAIOSFODNN7EXAMPLE', 'key [redacted]'],
  ['key ASIAIOSFODNN7EXAMPLE', 'key [redacted]'],
  ['code=abc&state=def&x=1', 'code=[redacted]&state=[redacted]&x=1'],
  ['grant_type=refresh_token&refresh_token=r1', 'grant_type=refresh_token&refresh_token=[redacted]'],
  ['code_verifier=v1 access_token=a1', 'code_verifier=[redacted] access_token=[redacted]'],
  ['/k?X-Amz-Signature=ab12&partNumber=3', '/k?X-Amz-Signature=[redacted]&partNumber=3'],
  ['X-Amz-Security-Token=Fwo%2F', 'X-Amz-Security-Token=[redacted]'],
  [
    '{"secretAccessKey":"s1","sessionToken": "t1","bucket":"b"}',
    '{"secretAccessKey":"[redacted]","sessionToken": "[redacted]","bucket":"b"}',
  ],
  ['"{\\"access_token\\":\\"a1\\"}"', '"{\\"access_token\\":\\"[redacted]\\"}"'],
  ['<OAuth><access_token>a1</access_token>', '<OAuth><access_token>[redacted]</access_token>'],
  ['open tilelift://oauth/callback?code=c1&state=s1 now', 'open tilelift://oauth/callback?[redacted] now'],
  ['next=tilelift%3A%2F%2Foauth%2Fcallback%3Fcode%3Dc1', 'next=tilelift%3A%2F%2Foauth%2Fcallback?[redacted]'],
  ['to=http%3A%2F%2Flocalhost%2F%3Fcode%3Dc1', 'to=http%3A%2F%2Flocalhost%2F%3Fcode%3D[redacted]'],
  ['http://me:secret@proxy:3128/', 'http://[redacted]@proxy:3128/'],
  [
    '{"code":"c1d2e3f4g5h6i7j8k9","state":"0123456789abcdefgh"}',
    '{"code":"[redacted]","state":"[redacted]"}',
  ],
])('redact removes the secret in %s', (text, clean) => expect(redact(text)).toBe(clean));

it.each([
  '{"code":"InvalidCredentials","message":"The access token is invalid."}',
  'GET https://api.example.com/v1/assets/12 gave 404',
  'sources/12/tile_1.b3dm, part 3 of 9',
  'statusCode=404',
])('redact keeps %s', (text) => expect(redact(text)).toBe(text));

it('redact removes a secret in JSON, form or XML with any name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...secretNames), token, (name, secret) => {
      const texts = [
        JSON.stringify({ [name]: secret }),
        `a=1&${name}=${secret}&b=2`,
        `<${name}>${secret}</${name}>`,
      ];
      for (const text of [...texts, JSON.stringify({ body: JSON.stringify(texts) })]) {
        expect(redact(text)).not.toContain(secret);
      }
    }),
  );
});

it('redact keeps JSON valid and is idempotent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...secretNames), fc.string(), (value, name, secret) => {
      const once = redact(JSON.stringify({ value, [name]: secret }));
      expect(() => JSON.parse(once)).not.toThrow();
      expect(redact(once)).toBe(once);
    }),
  );
});

it('S51: redact takes time proportional to its input', { timeout: 120_000 }, () => {
  const pieces = [
    '\\',
    'code=',
    'eyJ',
    'eyJaaaaaa.',
    '\\"',
    '\\\\"token',
    '"code":"',
    'a://b',
    'a:b@',
    'Bearer ',
    '<',
    '<token>',
  ];
  const oddTexts = [
    'tilelift:',
    'x',
    ' ',
    ':',
    'token ',
    'token:',
    '%3D',
    'Aa1',
    'AKIA',
    'IQoJ',
    '-',
    '=',
    "'",
  ];
  for (const piece of [...pieces, ...oddTexts]) {
    const text = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    expect(growthOf(text, redact), JSON.stringify(piece)).toBeLessThan(inProportion);
    expect(
      growthOf((length) => `"token${text(length)}`, redact),
      JSON.stringify(piece),
    ).toBeLessThan(inProportion);
  }
});

it('S52: redactedStart reads only as much text as it may show', () => {
  const text = '\\'.repeat(50_000_000);
  const previous = process.threadCpuUsage();
  expect(redactedStart(text, 200)).toHaveLength(200);
  const { user, system } = process.threadCpuUsage(previous);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

it('redactedStart removes a secret cut off at the end', () => {
  const text = `${'x'.repeat(180)} Bearer ${'abcDEF123'.repeat(9)}`;
  expect(redactedStart(text, 200)).not.toContain('abcDEF');
});

it('S39: the environment loses the access token, which the command keeps', () => {
  const inherited = { TILELIFT_TOKEN: 'secret', PATH: '/bin' };
  expect(takeEnvironment(inherited)).toEqual({ TILELIFT_TOKEN: 'secret', PATH: '/bin' });
  expect(inherited).toEqual({ PATH: '/bin' });
});
