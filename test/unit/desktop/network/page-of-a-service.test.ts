import { expect, it } from 'vitest';
import { isPageOfAService } from '../../../../main/desktop/network/page-of-a-service.ts';

const services = [
  { authUrl: 'https://ion.example/sign-in' },
  { authUrl: 'http://127.0.0.1:4000' },
  { authUrl: 'http://[::1]:80' },
  { authUrl: 'http://plain.example' },
  { authUrl: 'http://ion.internal:8080' },
];

it.each([
  'https://ion.example/oauth?x=1',
  'https://ION.example:443/assets/12',
  'http://127.0.0.1:4000/oauth',
  'http://[::1]/oauth',
  'http://ion.internal:8080/oauth',
])('isPageOfAService() accepts %s', (address) => expect(isPageOfAService(address, services)).toBe(true));

it.each([
  ['of another host', 'https://elsewhere.example/oauth'],
  ['of a host that only begins like it', 'https://ion.example.evil.example/'],
  ['that only name the host as a user', 'https://ion.example@evil.example/'],
  ['that carry a user', 'https://me:secret@ion.example/'],
  ['on another port', 'https://ion.example:8443/'],
  ['on another port of this machine', 'http://127.0.0.1:4001/oauth'],
  ['by http', 'http://ion.example/oauth'],
  ['by http though the service was given so', 'http://plain.example/oauth'],
  ['by another scheme', 'smb://ion.example/share'],
  ['by script', 'javascript:alert(1)//https://ion.example'],
  ['in a file', 'file:///etc/passwd'],
  ['of our own scheme', 'tilelift://oauth/callback'],
  ['that are none', 'not an address'],
  ['that are empty', ''],
])('isPageOfAService() rejects addresses %s', (_why, address) =>
  expect(isPageOfAService(address, services)).toBe(false),
);
