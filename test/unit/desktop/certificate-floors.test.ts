import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTrustedChain } from '../../../main/desktop/network/chain-of-trust.ts';
import {
  beginCertificates,
  type Certificates,
  curve,
  isAuthority,
  isServer,
  type Making,
  rsa,
} from './support/certificates.ts';

/** An extra authority trusts no chain that Chromium or OpenSSL would reject. */

let certificates: Certificates;
let now: number;
const names = 'DNS:a.example';

beforeAll(() => {
  certificates = beginCertificates();
  certificates.make('root', { extensions: isAuthority });
  certificates.make('old-root', { extensions: isAuthority, key: rsa(2048), digest: 'sha1' });
});
afterAll(() => certificates.end());

/** Whether a certificate for a.example with these properties is trusted. */
function trusts(
  making: Partial<Making>,
  { over: extraExtensions = [] as string[], root = 'root', host = 'a.example' } = {},
) {
  certificates.make('leaf', { extensions: isServer(names), issuer: extraExtensions[0] ?? root, ...making });
  now = Date.now();
  const chain = ['leaf', ...extraExtensions].map((name) => certificates.pem(name));
  return isTrustedChain({ chain, hostname: host, authorities: [certificates.pem(root)], nowMs: now });
}

const authority = (name: string, making: Partial<Making> & { more?: string }) => {
  const { more: extraLines = '', ...otherOptions } = making;
  certificates.make(name, { extensions: `${isAuthority}${extraLines}`, ...otherOptions });
  return name;
};

describe('isTrustedChain(): strength of a chain', () => {
  it.each([
    ['RSA 2048 and SHA-256', { key: rsa(2048) }],
    ['P-384 and SHA-384', { key: curve('secp384r1'), digest: 'sha384' }],
  ])('isTrustedChain() trusts %s', (_what, making) => expect(trusts(making)).toBe(true));

  it.each([
    ['a SHA-1 signature', { digest: 'sha1' }],
    ['an RSA key of 1024 bits', { key: rsa(1024) }],
    ['a curve below P-256', { key: curve('prime192v1') }],
    ['a curve that no browser takes', { key: curve('secp256k1') }],
  ])('S41: isTrustedChain() rejects a server certificate with %s', (_what, making) =>
    expect(trusts(making)).toBe(false),
  );

  it('S42: isTrustedChain() rejects a weak intermediate certificate', () => {
    expect(trusts({}, { over: [authority('strong', { issuer: 'root' })] })).toBe(true);
    expect(trusts({}, { over: [authority('sha1', { issuer: 'root', digest: 'sha1' })] })).toBe(false);
    expect(trusts({}, { over: [authority('short', { issuer: 'root', key: rsa(1024) })] })).toBe(false);
  });

  it('isTrustedChain() rejects an authority with a weak key, whatever its own signature', () => {
    expect(trusts({}, { root: authority('short-root', { key: rsa(1024) }) })).toBe(false);
    expect(trusts({}, { root: 'old-root' })).toBe(true);
  });
});

describe('isTrustedChain(): constraints of an authority', () => {
  const constrained = (constraint: string, critical = true) =>
    authority('bound', { more: `nameConstraints=${critical ? 'critical,' : ''}${constraint}\n` });
  const server = (ownName: string) => ({ extensions: isServer(ownName) });

  it.each([
    'permitted;DNS:a.example',
    'permitted;DNS:example',
    'permitted;DNS:other.test,permitted;DNS:EXAMPLE',
    'permitted;IP:10.0.0.0/255.0.0.0',
    'excluded;DNS:b.example',
  ])('isTrustedChain() trusts a.example under %s', (constraint) => {
    expect(trusts({}, { root: constrained(constraint) })).toBe(true);
  });

  it.each([
    'permitted;DNS:b.example',
    'permitted;DNS:.a.example',
    'permitted;DNS:ample',
    'excluded;DNS:a.example',
    'excluded;DNS:example',
    'permitted;DNS:example,excluded;DNS:a.example',
  ])('S43: isTrustedChain() rejects a.example under %s', (constraint) => {
    expect(trusts({}, { root: constrained(constraint) })).toBe(false);
    expect(trusts({}, { root: constrained(constraint, false) })).toBe(false);
  });

  it('isTrustedChain() applies name constraints to addresses', () => {
    const root = constrained('permitted;IP:10.1.0.0/255.255.0.0');
    expect(trusts(server('IP:10.1.2.3'), { root, host: '10.1.2.3' })).toBe(true);
    expect(trusts(server('IP:10.2.2.3'), { root, host: '10.2.2.3' })).toBe(false);
    const six = constrained('excluded;IP:2001:db8:0:0:0:0:0:0/ffff:ffff:0:0:0:0:0:0');
    expect(trusts(server('IP:2001:db9::1'), { root: six, host: '2001:db9::1' })).toBe(true);
    expect(trusts(server('IP:2001:db8::1'), { root: six, host: '2001:db8::1' })).toBe(false);
  });

  it('isTrustedChain() applies name constraints to every name of the server, including wildcards', () => {
    const root = constrained('permitted;DNS:a.example');
    expect(trusts(server('DNS:a.example,DNS:b.example'), { root })).toBe(false);
    expect(trusts(server('DNS:*.a.example'), { root, host: 'x.a.example' })).toBe(true);
    expect(trusts(server('DNS:*.example'), { root, host: 'a.example' })).toBe(false);
    const excludedNames = constrained('excluded;DNS:secret.a.example');
    expect(trusts(server('DNS:*.a.example'), { root: excludedNames, host: 'x.a.example' })).toBe(false);
  });

  it('isTrustedChain() applies name constraints of intermediate authorities', () => {
    const extraLines = 'nameConstraints=critical,permitted;DNS:b.example\n';
    expect(trusts({}, { over: [authority('bound-middle', { issuer: 'root', more: extraLines })] })).toBe(
      false,
    );
  });

  it('S44: isTrustedChain() rejects constraints that it can’t check', () => {
    const mail = constrained('permitted;email:a.example');
    expect(trusts({}, { root: mail })).toBe(false);
    const critical = authority('odd', { more: '1.2.3.4=critical,ASN1:UTF8String:whatever\n' });
    expect(trusts({}, { root: critical })).toBe(false);
    const policies = authority('policies', { more: 'policyConstraints=critical,requireExplicitPolicy:0\n' });
    expect(trusts({}, { root: policies })).toBe(false);
  });

  it('isTrustedChain() rejects a server certificate with an unknown critical extension', () => {
    const oddExtensions = `${isServer(names)}1.2.3.4=critical,ASN1:UTF8String:whatever\n`;
    expect(trusts({ extensions: oddExtensions })).toBe(false);
    expect(trusts({ extensions: oddExtensions.replace('critical,', '') })).toBe(true);
  });

  it('S45: isTrustedChain() limits the length of a chain as its authority says', () => {
    certificates.make('short-path', { extensions: isAuthority.replace('CA:TRUE', 'CA:TRUE,pathlen:0') });
    expect(trusts({}, { root: 'short-path' })).toBe(true);
    expect(trusts({}, { root: 'short-path', over: [authority('under', { issuer: 'short-path' })] })).toBe(
      false,
    );
  });

  it('isTrustedChain() rejects a server signed through an authority for another purpose', () => {
    const extraLines = 'extendedKeyUsage=emailProtection\n';
    expect(trusts({}, { over: [authority('for-mail', { issuer: 'root', more: extraLines })] })).toBe(false);
  });
});
