/**
 * Redacts by shape, for the log and remote messages. Patterns are linear and never match across quotes or
 * backslashes: redacted JSON stays valid.
 *
 * Use `redactedStart` for foreign text of any length.
 */

export const redactedMark = '[redacted]';

const secretVariables = ['TILELIFT_TOKEN'];

/** Child processes inherit `environment`, so removes the secrets from it and returns a copy. */
export function takeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const copy = { ...environment };
  for (const name of secretVariables) delete environment[name];
  return copy;
}

/** Names of secret values in JSON, forms, queries and XML. */
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
  readonly replacement: string | ((match: string, name: string, value: string) => string);
}

/** Isolated, with upper case, lower case and digits: random, not a word, hash or path. */
function randomRun(symbols: string, length: number): RegExp {
  const among = (kind: string, otherKinds: string) =>
    `(?=[${otherKinds}${symbols}]{0,${length - 1}}[${kind}])`;
  const mixedPairs = among('a-z', 'A-Z0-9') + among('A-Z', 'a-z0-9') + among('0-9', 'A-Za-z');
  return new RegExp(`(?<![\\w+/=.%-])${mixedPairs}[A-Za-z0-9${symbols}]{${length}}=?(?![\\w+/=.%-])`, 'g');
}

const shapes: readonly Shape[] = [
  // A callback address: it contains the authorization code.
  {
    pattern: /(tilelift(?::|%3A)(?:\/\/|%2F%2F)oauth(?:\/|%2F)callback)(?:\?|%3F)[^\s"'<>\\]*/gi,
    replacement: `$1?${redactedMark}`,
  },
  { pattern: /\b(Bearer|Basic|Negotiate|NTLM)(\s+|%20)[\w.~+/=-]{6,}/gi, replacement: `$1$2${redactedMark}` },
  // JSON Web Tokens, also truncated ones.
  { pattern: /\beyJ[\w-]{6,}(?:\.[\w-]+){0,4}/g, replacement: redactedMark },
  // Access key IDs of AWS and compatible stores.
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, replacement: redactedMark },
  // Prefixes of AWS STS session tokens.
  { pattern: /(?<![\w+/])(?:FwoG|FQoG|IQoJ)[\w+/%=-]{20,}/g, replacement: redactedMark },
  // Secret access keys: 40 characters of base64.
  { pattern: randomRun('+/', 40), replacement: redactedMark },
  // States, verifiers and challenges (RFC 7636 4.1), and many opaque tokens.
  { pattern: randomRun('_-', 43), replacement: redactedMark },
  // user:password@ in an address.
  {
    pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"'\\]+:[^\s/@"'\\]*@/gi,
    replacement: `$1${redactedMark}@`,
  },
  // name=value in queries, form bodies and header lists.
  {
    pattern: new RegExp(
      `(?:(?<![\\w-])|(?<=%[0-9A-F]{2}))(${names}|code|state|code_challenge|Signature|Credential|sig)(=|%3D)[^&\\s"'<>,;\\\\]+`,
      'gi',
    ),
    replacement: `$1$2${redactedMark}`,
  },
  // name: value. Keeps schemes such as Bearer.
  {
    pattern: new RegExp(
      `(?<![\\w-])(${names})(\\s*:\\s*)(?!Bearer |Basic |Negotiate |NTLM )(['"]?)[^\\s"',;<>{}\\\\]+`,
      'gi',
    ),
    replacement: `$1$2$3${redactedMark}`,
  },
  // "name":"value" in JSON, also nested or truncated.
  {
    pattern: new RegExp(`(["'])(${names})(\\\\*["']\\s*:\\s*\\\\*["'])[^"'\\\\]*`, 'gi'),
    replacement: `$1$2$3${redactedMark}`,
  },
  // Usually words: only long values with a digit.
  {
    pattern: /(["'](?:code|state)\\*["']\s*:\s*\\*["'])([^"'\\]{16,})/gi,
    replacement: (match, name, value) => (/\d/.test(value) ? `${name}${redactedMark}` : match),
  },
  { pattern: new RegExp(`<(${names})>[^<]*`, 'gi'), replacement: `<$1>${redactedMark}` },
];

/** For the test of linear time. */
export const secretPatterns: readonly RegExp[] = shapes.map(({ pattern }) => pattern);

/** A secret at its end must be recognised. */
const maxRead = 8_000;
/** Limits shown remote messages. */
const messageLength = 500;

/** Reads not much further. */
export function redactedStart(text: string, length = messageLength): string {
  return redact(text.slice(0, maxRead)).slice(0, length);
}

/** Removes the secrets; idempotent. */
export function redact(text: string): string {
  return shapes.reduce(
    (result, { pattern, replacement }) =>
      typeof replacement === 'string'
        ? result.replace(pattern, replacement)
        : result.replace(pattern, replacement),
    text,
  );
}
