import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTrustedChain } from '../../../../main/desktop/network/chain-of-trust.ts';
import { beginCertificates, type Certificates, isAuthority, isServer } from '../support/certificates.ts';

let certificates: Certificates;
let now: number;
const day = 24 * 3600_000;

beforeAll(() => {
  certificates = beginCertificates();
  const make = (name: string, extensions: string, issuer?: string) =>
    certificates.make(name, { extensions, ...(issuer ? { issuer } : {}) });
  make('root', isAuthority);
  make('other', isAuthority);
  make('middle', isAuthority, 'root');
  make('plain', isServer('DNS:a.example,IP:10.0.0.1,IP:2001:db8::1'), 'root');
  make('deep', isServer('DNS:a.example'), 'middle');
  make('client', isServer('DNS:a.example', 'clientAuth'), 'root');
  make('self', isServer('DNS:a.example'));
  make('forged', isServer('DNS:a.example'), 'plain');
  now = Date.now();
});
afterAll(() => certificates.end());

const pem = (name: string) => certificates.pem(name);
const trusted = (chain: string[], hostname = 'a.example', authorities = ['root'], at = now) =>
  isTrustedChain({ chain: chain.map(pem), hostname, authorities: authorities.map(pem), nowMs: at });

describe('isTrustedChain()', () => {
  it('isTrustedChain() trusts a chain to a given authority, direct or through intermediates', () => {
    expect(trusted(['plain'])).toBe(true);
    expect(trusted(['plain', 'root'])).toBe(true);
    expect(trusted(['deep', 'middle'])).toBe(true);
    expect(trusted(['deep'], 'a.example', ['middle'])).toBe(true);
  });

  it('isTrustedChain() rejects another authority, a gap and a signer that is no authority', () => {
    expect(trusted(['plain'], 'a.example', ['other'])).toBe(false);
    expect(trusted(['plain'], 'a.example', [])).toBe(false);
    expect(trusted(['deep'])).toBe(false);
    expect(trusted(['deep', 'other'])).toBe(false);
    expect(trusted(['forged', 'plain', 'root'])).toBe(false);
    expect(trusted(['self'], 'a.example', ['self'])).toBe(false);
  });

  it.each(['10.0.0.1', '2001:db8::1', '[2001:db8::1]'])(
    'isTrustedChain() trusts the named address %s',
    (host) => {
      expect(trusted(['plain'], host)).toBe(true);
    },
  );

  it.each(['b.example', 'x.a.example', '10.0.0.2', 'plain', ''])(
    'isTrustedChain() rejects the host %j',
    (host) => {
      expect(trusted(['plain'], host)).toBe(false);
    },
  );

  it('isTrustedChain() rejects expired, not yet valid and misused certificates', () => {
    expect(trusted(['plain'], 'a.example', ['root'], now + 3 * day)).toBe(false);
    expect(trusted(['plain'], 'a.example', ['root'], now - day)).toBe(false);
    expect(trusted(['client'])).toBe(false);
  });

  it('isTrustedChain() rejects unreadable certificates', () => {
    expect(isTrustedChain({ chain: ['nonsense'], hostname: 'a.example', authorities: [], nowMs: now })).toBe(
      false,
    );
    expect(trusted([])).toBe(false);
  });
});
