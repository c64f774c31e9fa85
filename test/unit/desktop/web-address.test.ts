import { describe, expect, it } from 'vitest';
import { isWebAddress } from '../../../main/desktop/web-address.ts';

describe('addresses that are opened for the person', () => {
  it.each([
    'https://ion.example/oauth?x=1',
    'http://127.0.0.1:4000/oauth',
    'http://localhost/',
    'http://[::1]:80/',
  ])('are %s', (address) => expect(isWebAddress(address)).toBe(true));

  it.each([
    'http://ion.example/oauth',
    'http://127.0.0.1.evil.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'tilelift://oauth/callback',
    'not an address',
    '',
  ])('are not %s', (address) => expect(isWebAddress(address)).toBe(false));
});
