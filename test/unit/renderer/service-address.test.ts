import { describe, expect, it } from 'vitest';
import {
  addressProblem,
  defaultService,
  serviceName,
  tidyAddress,
} from '../../../renderer/words/service-address.ts';

it.each([
  'https://api.example.com',
  ' https://api.example.com/base/ ',
  'http://localhost:8080',
  'http://[::1]:9',
  'http://127.0.0.1',
  'http://192.168.1.10:8080',
  'http://ion.internal',
])('addressProblem() accepts %s', (address) => expect(addressProblem(address)).toBeNull());

it.each([
  '',
  'api.example.com',
  'http://api.example.com',
  'ftp://x',
  'https://a:b@x',
  'https://x/?q',
  'https://x/#a',
  'http://localhost.example.com',
])('addressProblem() refuses “%s”', (address) => expect(addressProblem(address)).not.toBeNull());

it('addressProblem() ignores spaces and trailing slashes', () => {
  expect(tidyAddress(' https://x.example/base// ')).toBe('https://x.example/base');
});

it('addressProblem() serviceName() uses the host', () => {
  expect(serviceName('https://x.example:8443/base')).toBe('x.example:8443');
  expect(serviceName('nonsense')).toBe('nonsense');
});

describe('defaultService()', () => {
  const knownService = {
    name: 'Known',
    baseUrl: 'https://api.known.example',
    authUrl: 'https://known.example',
  };
  const brought = {
    name: 'Brought along',
    baseUrl: 'https://api.b.example',
    authUrl: 'https://b.example',
    from: 'environment',
  } as const;

  it('S17: defaultService() is never a service from the environment', () => {
    expect(defaultService([brought, knownService], null)).toBe(1);
    expect(defaultService([brought], null)).toBeUndefined();
    expect(defaultService([], null)).toBeUndefined();
  });

  it('defaultService() is the last chosen service with the same two addresses', () => {
    expect(defaultService([knownService, brought], brought)).toBe(1);
    expect(defaultService([knownService, brought], { ...brought, authUrl: 'https://c.example' })).toBe(0);
  });
});
