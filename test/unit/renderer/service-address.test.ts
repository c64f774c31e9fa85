import { describe, expect, it } from 'vitest';
import {
  addressProblem,
  defaultService,
  serviceName,
  tidyAddress,
} from '../../../renderer/words/service-address.ts';

describe('an address typed for a service', () => {
  it.each([
    'https://api.example.com',
    ' https://api.example.com/base/ ',
    'http://localhost:8080',
    'http://[::1]:9',
    'http://127.0.0.1',
  ])('takes %s', (address) => {
    expect(addressProblem(address)).toBeNull();
  });

  it.each([
    '',
    'api.example.com',
    'http://api.example.com',
    'ftp://x',
    'https://a:b@x',
    'https://x/?q',
    'https://x/#a',
    'http://localhost.example.com',
  ])('refuses “%s”', (address) => {
    expect(addressProblem(address)).not.toBeNull();
  });

  it('is kept without space and without a slash at its end', () => {
    expect(tidyAddress(' https://x.example/base// ')).toBe('https://x.example/base');
  });

  it('names the service after its host', () => {
    expect(serviceName('https://x.example:8443/base')).toBe('x.example:8443');
    expect(serviceName('nonsense')).toBe('nonsense');
  });
});

describe('the service that is chosen when the person has not', () => {
  const known = { name: 'Known', baseUrl: 'https://api.known.example', authUrl: 'https://known.example' };
  const brought = {
    name: 'Brought along',
    baseUrl: 'https://api.b.example',
    authUrl: 'https://b.example',
    from: 'environment',
  } as const;

  it('is never one that the environment brings along', () => {
    expect(defaultService([brought, known], null)).toBe(1);
    expect(defaultService([brought], null)).toBeUndefined();
    expect(defaultService([], null)).toBeUndefined();
  });

  it('is the one that they wanted last, with these two addresses', () => {
    expect(defaultService([known, brought], brought)).toBe(1);
    expect(defaultService([known, brought], { ...brought, authUrl: 'https://c.example' })).toBe(0);
  });
});
