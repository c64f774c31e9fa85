import fc from 'fast-check';
import { XMLBuilder } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { readTokenAnswer, type TokenAnswer } from '../../../../main/account/tokens/token-answer.ts';

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
  minLength: 1,
});
const life = fc.nat({ max: 5_000_000 });
const answer = fc.record(
  {
    access_token: printable,
    token_type: fc.constant('bearer'),
    refresh_token: printable,
    expires_in: life,
    refresh_token_expires_in: life,
  },
  { requiredKeys: ['access_token', 'token_type'] },
);

/** The spelling of the reference template (contract 4.3). */
function inCamelCase({ expires_in, refresh_token_expires_in, ...otherFields }: TokenAnswer): object {
  return {
    ...otherFields,
    ...(expires_in === undefined ? {} : { expiresIn: expires_in }),
    ...(refresh_token_expires_in === undefined ? {} : { refreshTokenExpiresIn: refresh_token_expires_in }),
  };
}

const formats = {
  json: (fields: object) => JSON.stringify(fields),
  xml: (fields: object) => `<?xml version="1.0"?>\n${new XMLBuilder().build({ OAuth: fields })}`,
  form: (fields: object) =>
    String(
      new URLSearchParams(
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
      ),
    ),
};

it.each(['json', 'xml', 'form'] as const)(
  'readTokenAnswer returns the same tokens from %s in both spellings',
  (format) => {
    fc.assert(
      fc.property(answer, (fields) => {
        expect(readTokenAnswer(formats[format](fields))).toEqual(fields);
        expect(readTokenAnswer(formats[format](inCamelCase(fields)))).toEqual(fields);
      }),
    );
  },
);

it('readTokenAnswer keeps a token of digits as text', () => {
  const xml =
    '<OAuth><access_token>0012345678901234567890</access_token><token_type>bearer</token_type></OAuth>';
  expect(readTokenAnswer(xml)?.access_token).toBe('0012345678901234567890');
});

it('readTokenAnswer ignores an invalid lifetime', () => {
  for (const expires_in of ['soon', -1, null, {}]) {
    const read = readTokenAnswer(JSON.stringify({ access_token: 'a', token_type: 'bearer', expires_in }));
    expect(read).toEqual({ access_token: 'a', token_type: 'bearer' });
  }
});

it.each([
  '',
  '{}',
  '[]',
  '{"access_token":""}',
  '{"access_token":"a"}',
  '{"access_token":1,"token_type":"bearer"}',
  '<OAuth/>',
  '<OAuth><access_token>a</access_token>',
  '<html><body>Sign in</body></html>',
  '<!DOCTYPE x [<!ENTITY a "b">]><OAuth><access_token>&a;</access_token><token_type>b</token_type></OAuth>',
  'not signed in',
])('readTokenAnswer returns null for %s', (body) => expect(readTokenAnswer(body)).toBeNull());

it('readTokenAnswer never throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '{', '<', '<OAuth>', '<OAuth><access_token>'),
      fc.string(),
      (start, rest) => {
        expect(() => readTokenAnswer(start + rest)).not.toThrow();
      },
    ),
    { numRuns: 500 },
  );
});
