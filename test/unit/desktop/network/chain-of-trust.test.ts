import { afterAll, beforeAll, expect, it } from 'vitest';
import { isTrustedChain } from '../../../../main/desktop/network/chain-of-trust.ts';
import { beginCertificates, type Certificates, isAuthority, isServer } from '../support/certificates.ts';

let certificates: Certificates;
let now: number;
const day = 24 * 3600_000;

beforeAll(() => {
  certificates = beginCertificates();
  const makeCertificate = (name: string, extensions: string, issuer?: string) =>
    certificates.make(name, { extensions, ...(issuer ? { issuer } : {}) });
  makeCertificate('root', isAuthority);
  makeCertificate('other', isAuthority);
  makeCertificate('middle', isAuthority, 'root');
  makeCertificate('plain', isServer('DNS:a.example,IP:10.0.0.1,IP:2001:db8::1'), 'root');
  makeCertificate('deep', isServer('DNS:a.example'), 'middle');
  makeCertificate('client', isServer('DNS:a.example', 'clientAuth'), 'root');
  makeCertificate('self', isServer('DNS:a.example'));
  makeCertificate('forged', isServer('DNS:a.example'), 'plain');
  now = Date.now();
});
afterAll(() => certificates.end());

const pem = (name: string) => certificates.pem(name);
const isTrusted = (chain: string[], hostname = 'a.example', authorities = ['root'], at = now) =>
  isTrustedChain({ chain: chain.map(pem), hostname, authorities: authorities.map(pem), nowMs: at });

it('isTrustedChain() trusts a chain to a given authority, direct or through intermediates', () => {
  expect(isTrusted(['plain'])).toBe(true);
  expect(isTrusted(['plain', 'root'])).toBe(true);
  expect(isTrusted(['deep', 'middle'])).toBe(true);
  expect(isTrusted(['deep'], 'a.example', ['middle'])).toBe(true);
});

it('isTrustedChain() rejects another authority, a gap and a signer that is no authority', () => {
  expect(isTrusted(['plain'], 'a.example', ['other'])).toBe(false);
  expect(isTrusted(['plain'], 'a.example', [])).toBe(false);
  expect(isTrusted(['deep'])).toBe(false);
  expect(isTrusted(['deep', 'other'])).toBe(false);
  expect(isTrusted(['forged', 'plain', 'root'])).toBe(false);
  expect(isTrusted(['self'], 'a.example', ['self'])).toBe(false);
});

it.each(['10.0.0.1', '2001:db8::1', '[2001:db8::1]'])(
  'isTrustedChain() trusts the named address %s',
  (host) => {
    expect(isTrusted(['plain'], host)).toBe(true);
  },
);

it.each(['b.example', 'x.a.example', '10.0.0.2', 'plain', ''])(
  'isTrustedChain() rejects the host %j',
  (host) => {
    expect(isTrusted(['plain'], host)).toBe(false);
  },
);

it('isTrustedChain() rejects expired, not yet valid and misused certificates', () => {
  expect(isTrusted(['plain'], 'a.example', ['root'], now + 3 * day)).toBe(false);
  expect(isTrusted(['plain'], 'a.example', ['root'], now - day)).toBe(false);
  expect(isTrusted(['client'])).toBe(false);
});

it('isTrustedChain() rejects unreadable certificates', () => {
  expect(isTrustedChain({ chain: ['nonsense'], hostname: 'a.example', authorities: [], nowMs: now })).toBe(
    false,
  );
  expect(isTrusted([])).toBe(false);
});
