import { expect, it } from 'vitest';
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
const stateUnder = (policy: Extract<PolicyState, { kind: 'in-force' }>['policy']): PolicyState => ({
  kind: 'in-force',
  path,
  policy,
});
const onlyOffered = stateUnder({
  services: { offered: [{ ...office, clientId: '4711' }], only: true },
  caFile: '/ca.pem',
});
const error = new TileliftError('policy-unreadable', { subject: path });
const unusable: PolicyState = { kind: 'unusable', path, error };

it('refuseService() accepts services of the administrator, and others unless excluded', () => {
  expect(refuseService(onlyOffered, office)).toBeNull();
  expect(refuseService(noPolicy, { ...office, baseUrl: 'https://other.example' })).toBeNull();
  const offeringState = stateUnder({ services: { offered: [office], only: false } });
  expect(
    refuseService(offeringState, { baseUrl: 'https://other.example', authUrl: 'https://other.example' }),
  ).toBeNull();
});

it('S8: refuseService() refuses the sign-in page of another known service or the administrator’s', () => {
  const offeringState = stateUnder({ services: { offered: [office], only: false } });
  const mixedError = { code: 'service-pair-mixed', subject: office.authUrl };
  expect(refuseService(offeringState, { ...office, baseUrl: 'https://other.example' })).toMatchObject(
    mixedError,
  );
  const [preset] = servicePresets;
  const knownService = { baseUrl: 'https://other.example', authUrl: preset?.authUrl ?? '' };
  expect(refuseService(noPolicy, knownService)).toMatchObject({ code: 'service-pair-mixed' });
});

it('refuseService() names a service that is excluded', () => {
  expect(refuseService(onlyOffered, { ...office, baseUrl: 'https://other.example' })).toMatchObject({
    code: 'service-not-allowed',
    subject: 'https://other.example',
  });
});

it('refuseService() refuses another sign-in page than the administrator’s', () => {
  expect(refuseService(onlyOffered, { ...office, authUrl: 'https://0ffice.example' })).toMatchObject({
    code: 'service-not-allowed',
  });
});

it('refuseService() refuses every service under an unreadable policy', () => {
  expect(refuseService(unusable, office)).toBe(error);
});

it('policy settings fix the client id', () => {
  expect(refuseClientId(onlyOffered, office.baseUrl, '1')).toMatchObject({
    code: 'set-by-policy',
    subject: path,
  });
  expect(refuseClientId(onlyOffered, office.baseUrl, null)).toMatchObject({ code: 'set-by-policy' });
  expect(refuseClientId(onlyOffered, office.baseUrl, '4711')).toBeNull();
  expect(refuseClientId(onlyOffered, 'https://other.example', '1')).toBeNull();
  expect(refuseClientId(noPolicy, office.baseUrl, '1')).toBeNull();
});

it('policy settings fix whether and which updates are checked; an unreadable policy stops them', () => {
  const updatesOff = stateUnder({ updates: { allowed: false } });
  const beta = stateUnder({ updates: { allowed: true, channel: 'beta' } });
  expect([updatesOff, unusable, beta, stateUnder({}), noPolicy].map(updatesAreAllowed)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(refuseUpdates(updatesOff, 'latest')).toMatchObject({ code: 'set-by-policy', subject: path });
  expect(refuseUpdates(beta, 'latest')).toMatchObject({ code: 'set-by-policy' });
  expect(refuseUpdates(beta, 'beta')).toBeNull();
  expect(refuseUpdates(noPolicy, 'latest')).toBeNull();
});

it('policy settings fix the certificate file if named', () => {
  expect(refuseCaFile(onlyOffered)).toMatchObject({ code: 'set-by-policy' });
  expect(refuseCaFile(stateUnder({}))).toBeNull();
  expect(refuseCaFile(noPolicy)).toBeNull();
});
