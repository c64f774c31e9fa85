import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { noPolicy, type PolicyState } from '../../../main/policy/policy.ts';
import {
  refuseCaFile,
  refuseClientId,
  refuseService,
  refuseUpdates,
  updatesAreAllowed,
} from '../../../main/policy/refusals.ts';
import { servicePresets } from '../../../main/service/address-pair.ts';

const office = { name: 'Office', baseUrl: 'https://api.office.example', authUrl: 'https://office.example' };
const path = '/etc/tilelift/policy.json';
const under = (policy: Extract<PolicyState, { kind: 'in-force' }>['policy']): PolicyState => ({
  kind: 'in-force',
  path,
  policy,
});
const only = under({
  services: { offered: [{ ...office, clientId: '4711' }], only: true },
  caFile: '/ca.pem',
});
const error = new TileliftError('policy-unreadable', { subject: path });
const unusable: PolicyState = { kind: 'unusable', path, error };

describe('a service', () => {
  it('may be used where the administrator offers it, or does not say “only”', () => {
    expect(refuseService(only, office)).toBeNull();
    expect(refuseService(noPolicy, { ...office, baseUrl: 'https://other.example' })).toBeNull();
    const offered = under({ services: { offered: [office], only: false } });
    expect(
      refuseService(offered, { baseUrl: 'https://other.example', authUrl: 'https://other.example' }),
    ).toBeNull();
  });

  it('is refused where the sign-in page of another goes with it: the administrator’s, or a known one', () => {
    const offered = under({ services: { offered: [office], only: false } });
    const mixed = { code: 'service-pair-mixed', subject: office.authUrl };
    expect(refuseService(offered, { ...office, baseUrl: 'https://other.example' })).toMatchObject(mixed);
    const [preset] = servicePresets;
    const known = { baseUrl: 'https://other.example', authUrl: preset?.authUrl ?? '' };
    expect(refuseService(noPolicy, known)).toMatchObject({ code: 'service-pair-mixed' });
  });

  it('is refused by name where only others may be used', () => {
    expect(refuseService(only, { ...office, baseUrl: 'https://other.example' })).toMatchObject({
      code: 'service-not-allowed',
      subject: 'https://other.example',
    });
  });

  it('is refused with another sign-in page than the administrator’s', () => {
    expect(refuseService(only, { ...office, authUrl: 'https://0ffice.example' })).toMatchObject({
      code: 'service-not-allowed',
    });
  });

  it('is refused, whichever it is, under a policy that nobody can read', () => {
    expect(refuseService(unusable, office)).toBe(error);
  });
});

describe('what the policy has set', () => {
  it('is a client id that nobody can give another for', () => {
    expect(refuseClientId(only, office.baseUrl, '1')).toMatchObject({ code: 'set-by-policy', subject: path });
    expect(refuseClientId(only, office.baseUrl, null)).toMatchObject({ code: 'set-by-policy' });
    expect(refuseClientId(only, office.baseUrl, '4711')).toBeNull();
    expect(refuseClientId(only, 'https://other.example', '1')).toBeNull();
    expect(refuseClientId(noPolicy, office.baseUrl, '1')).toBeNull();
  });

  it('is whether updates are looked for, and which; nobody looks under a policy that nobody can read', () => {
    const off = under({ updates: { allowed: false } });
    const beta = under({ updates: { allowed: true, channel: 'beta' } });
    expect([off, unusable, beta, under({}), noPolicy].map(updatesAreAllowed)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(refuseUpdates(off, 'latest')).toMatchObject({ code: 'set-by-policy', subject: path });
    expect(refuseUpdates(beta, 'latest')).toMatchObject({ code: 'set-by-policy' });
    expect(refuseUpdates(beta, 'beta')).toBeNull();
    expect(refuseUpdates(noPolicy, 'latest')).toBeNull();
  });

  it('is the certificate file where it names one', () => {
    expect(refuseCaFile(only)).toMatchObject({ code: 'set-by-policy' });
    expect(refuseCaFile(under({}))).toBeNull();
    expect(refuseCaFile(noPolicy)).toBeNull();
  });
});
