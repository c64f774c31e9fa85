import fc from 'fast-check';

/** A code that no other text contains by chance. */
const codes = fc.stringMatching(/^C0de[A-Za-z0-9_-]{28}$/);

/** Builds an address once the pending request's state is known. */
export type Recipe = (state: string) => string;

const scheme = fc.constantFrom(
  'tilelift:',
  'tilelift:',
  'tilelift:',
  'TileLift:',
  'tilelift%3A',
  'https:',
  '',
);
const place = fc.constantFrom(
  ...['//oauth/callback', '//oauth/callback', '//oauth/callback', '//OAuth/Callback', '//oauth/callback/'],
  ...[
    '/oauth/callback',
    '//oauth//callback',
    '//oauth:80/callback',
    '//me@oauth/callback',
    '//evil/callback',
  ],
  ...['//oauth/../oauth/callback', '//oauth/callback\\', '//oauth/callback\u0000', ''],
);
const mark = fc.constantFrom('?', '?', '?', '#', '??', '&', '');
const name = fc.constantFrom(
  'code',
  'code',
  'state',
  'state',
  'error',
  'Code',
  'c%6fde',
  'state[]',
  'iss',
  '',
);
const value: fc.Arbitrary<Recipe> = fc.oneof(
  fc.constant<Recipe>((state) => state),
  fc.constant<Recipe>((state) => state.slice(1)),
  fc.constant<Recipe>((state) => `${state} `),
  fc.constant<Recipe>((state) => state.toUpperCase()),
  codes.map(
    (code): Recipe =>
      () =>
        code,
  ),
  fc.constantFrom('access_denied', '', '%', '%00', '%ff%fe', '\u202e', 'x'.repeat(9000)).map(
    (text): Recipe =>
      () =>
        text,
  ),
  fc.string({ unit: 'binary' }).map(
    (text): Recipe =>
      () =>
        text,
  ),
);
const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
const tail = fc.constantFrom('', '', '', '#', '#fragment', ' ', '\n', '" --inspect', '%20');

const assembled = fc.tuple(scheme, place, mark, query, tail).map(
  ([a, b, c, pairs, suffix]): Recipe =>
    (state) => {
      const text = pairs.map(([key, makeValue]) => `${key}=${makeValue(state)}`).join('&');
      return `${a}${b}${c}${text}${suffix}`;
    },
);

/** A valid callback. */
const rightful = codes.map(
  (code): Recipe =>
    (state) =>
      `tilelift://oauth/callback?code=${code}&state=${state}`,
);

/** A valid callback with one character removed, doubled or inserted. */
const damagedCallback = fc
  .tuple(rightful, fc.nat(), fc.constantFrom('', '\u0000', '%', '&', '=', '#', ' ', '"', 'ä'), fc.boolean())
  .map(
    ([makeCallback, at, piece, leaveOut]): Recipe =>
      (state) => {
        const address = makeCallback(state);
        const place = at % address.length;
        return address.slice(0, place) + piece + address.slice(leaveOut ? place + 1 : place);
      },
  );

/** Addresses as anyone may send them to Tilelift. */
export const addresses: fc.Arbitrary<Recipe> = fc.oneof(
  { arbitrary: assembled, weight: 6 },
  { arbitrary: damagedCallback, weight: 3 },
  { arbitrary: rightful, weight: 1 },
  {
    arbitrary: fc.webUrl({ withQueryParameters: true }).map(
      (text): Recipe =>
        () =>
          text,
    ),
    weight: 1,
  },
  {
    arbitrary: fc.string({ unit: 'binary' }).map(
      (text): Recipe =>
        () =>
          text,
    ),
    weight: 1,
  },
);

const switches = fc.constantFrom(
  ...['--no-sandbox', '--inspect=0', '--', '-', '/opt/tilelift', '.', '', '--user-data-dir=/tmp/x', '%u'],
  ...[
    '--url=tilelift://oauth/callback?code=c&state=s',
    '--original-process-start-time=13',
    'file:///etc/passwd',
  ],
);

/** Launch arguments: program, switches, and any number of addresses. */
export const argumentVectors: fc.Arbitrary<readonly Recipe[]> = fc.array(
  fc.oneof(
    {
      arbitrary: switches.map(
        (text): Recipe =>
          () =>
            text,
      ),
      weight: 3,
    },
    { arbitrary: addresses, weight: 2 },
    { arbitrary: rightful, weight: 1 },
  ),
  { maxLength: 6 },
);

/** Longest part of a callback, in printable ASCII (RFC 6749, appendix A). */
const maxCallback = 8192;
const printable = /^[\x20-\x7e]+$/;

/** Names of the test service. */
const testService = /^https?:\/\/(?:[\w-]+\.)*(?:sign-in|api)\.example(?=[:/?#]|$)/i;

/**
 * A second implementation of the rule: whether an address is a well-formed callback, and of which service.
 */
export function readAddress(address: string): { wellFormed: boolean; grantsFor: string | null } {
  const [, text] = /^tilelift:\/\/oauth\/callback\?([!-"$-~]*)(?:#[!-~]*)?$/i.exec(address.trim()) ?? [];
  if (text === undefined || address.length > maxCallback) return { wellFormed: false, grantsFor: null };
  const parameters = {
    code: [] as string[],
    state: [] as string[],
    error: [] as string[],
    iss: [] as string[],
  };
  for (const [key, value] of new URLSearchParams(`?${text}`)) {
    if (key === 'code' || key === 'state' || key === 'error' || key === 'iss') parameters[key].push(value);
  }
  const allValues = [...parameters.code, ...parameters.state, ...parameters.error, ...parameters.iss];
  const wellFormed =
    parameters.code.length + parameters.error.length === 1 &&
    parameters.state.length <= 1 &&
    parameters.iss.length <= 1 &&
    allValues.every((item) => printable.test(item));
  const grants =
    wellFormed && parameters.code.length === 1 && parameters.iss.every((iss) => testService.test(iss));
  return { wellFormed, grantsFor: grants ? (parameters.state[0] ?? null) : null };
}
