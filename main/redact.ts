/**
 * Takes secrets out of free text by their shape, for the log and for the remote words that a person sees. Its
 * patterns are linear and never match across a quote or a backslash, so that a redacted JSON text is still
 * JSON.
 *
 * Text that comes from outside may be of any length: it goes through `redactedStart`, which cuts first.
 */

export const redacted = '[redacted]';

/** Environment variables whose value is a secret itself. */
const secretVariables = ['TILELIFT_TOKEN'];

/**
 * The environment as it was at the start. Takes the secrets out of `environment`, which every program that
 * this process starts inherits.
 */
export function takeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const all = { ...environment };
  for (const name of secretVariables) delete environment[name];
  return all;
}

/** Names whose value is always a secret: JSON fields, form fields, query parameters, XML elements. */
export const secretNames = [
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'id_token',
  'code_verifier',
  'codeVerifier',
  'verifier',
  'client_secret',
  'accessKey',
  'accessKeyId',
  'AccessKeyId',
  'secretAccessKey',
  'SecretAccessKey',
  'sessionToken',
  'SessionToken',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'AWSAccessKeyId',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
  'X-Amz-Credential',
] as const;

const names = secretNames.join('|');

interface Shape {
  readonly pattern: RegExp;
  readonly replacement: string | ((whole: string, name: string, value: string) => string);
}

/**
 * Exactly this many of these characters, standing alone, with an upper and a lower case letter and a digit
 * among them: random, not a word, a hash or a path.
 */
function randomRun(others: string, length: number): RegExp {
  const among = (kind: string, rest: string) => `(?=[${rest}${others}]{0,${length - 1}}[${kind}])`;
  const mixed = among('a-z', 'A-Z0-9') + among('A-Z', 'a-z0-9') + among('0-9', 'A-Za-z');
  return new RegExp(`(?<![\\w+/=.%-])${mixed}[A-Za-z0-9${others}]{${length}}=?(?![\\w+/=.%-])`, 'g');
}

const shapes: readonly Shape[] = [
  // A whole callback address: it carries the authorization code.
  {
    pattern: /(tilelift(?::|%3A)(?:\/\/|%2F%2F)oauth(?:\/|%2F)callback)(?:\?|%3F)[^\s"'<>\\]*/gi,
    replacement: `$1?${redacted}`,
  },
  { pattern: /\b(Bearer|Basic|Negotiate|NTLM)(\s+|%20)[\w.~+/=-]{6,}/gi, replacement: `$1$2${redacted}` },
  // JSON Web Tokens, whole or cut off.
  { pattern: /\beyJ[\w-]{6,}(?:\.[\w-]+){0,4}/g, replacement: redacted },
  // Access key ids of AWS and of stores that imitate it.
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, replacement: redacted },
  // Session tokens of AWS's STS begin so.
  { pattern: /(?<![\w+/])(?:FwoG|FQoG|IQoJ)[\w+/%=-]{20,}/g, replacement: redacted },
  // Secret access keys: 40 letters and digits of base64, as AWS and its imitators make them.
  { pattern: randomRun('+/', 40), replacement: redacted },
  // 32 random bytes in base64url: states, verifiers and challenges (RFC 7636 4.1), and many an opaque token.
  { pattern: randomRun('_-', 43), replacement: redacted },
  // user:password@ in an address.
  { pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"'\\]+:[^\s/@"'\\]*@/gi, replacement: `$1${redacted}@` },
  // name=value in queries, form bodies and header lists.
  {
    pattern: new RegExp(
      `(?:(?<![\\w-])|(?<=%[0-9A-F]{2}))(${names}|code|state|code_challenge|Signature|Credential|sig)(=|%3D)[^&\\s"'<>,;\\\\]+`,
      'gi',
    ),
    replacement: `$1$2${redacted}`,
  },
  // name: value, as headers and printed objects have it. A scheme such as Bearer stays, its value is gone by
  // now.
  {
    pattern: new RegExp(
      `(?<![\\w-])(${names})(\\s*:\\s*)(?!Bearer |Basic |Negotiate |NTLM )(['"]?)[^\\s"',;<>{}\\\\]+`,
      'gi',
    ),
    replacement: `$1$2$3${redacted}`,
  },
  // "name":"value" in JSON, also in JSON that stands inside a JSON string and in one that is cut off.
  {
    pattern: new RegExp(`(["'])(${names})(\\\\*["']\\s*:\\s*\\\\*["'])[^"'\\\\]*`, 'gi'),
    replacement: `$1$2$3${redacted}`,
  },
  // `code` and `state` in JSON are words more often than secrets: only long ones with a digit are taken out.
  {
    pattern: /(["'](?:code|state)\\*["']\s*:\s*\\*["'])([^"'\\]{16,})/gi,
    replacement: (whole, name, value) => (/\d/.test(value) ? `${name}${redacted}` : whole),
  },
  { pattern: new RegExp(`<(${names})>[^<]*`, 'gi'), replacement: `<$1>${redacted}` },
];

/** For the check that none of them takes longer than in proportion to its text. */
export const secretPatterns: readonly RegExp[] = shapes.map(({ pattern }) => pattern);

/** Longer than what is shown of any text, so that a secret at its end is still recognised. */
const looksAtMost = 8_000;
/** What is kept of what a remote side says. */
const wordsLength = 500;

/** The first `length` letters of a text from outside, without secrets: nothing far behind them is read. */
export function redactedStart(text: string, length = wordsLength): string {
  return redact(text.slice(0, looksAtMost)).slice(0, length);
}

/** The text without its secrets. Redacting twice changes nothing more. */
export function redact(text: string): string {
  return shapes.reduce(
    (rest, { pattern, replacement }) =>
      typeof replacement === 'string'
        ? rest.replace(pattern, replacement)
        : rest.replace(pattern, replacement),
    text,
  );
}
