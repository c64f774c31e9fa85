import fc from 'fast-check';
import { expect, it } from 'vitest';
import { servicePresets } from '../../../main/service/address-pair.ts';
import {
  assetPageAddress,
  isPrivateHost,
  parseServiceAddress,
} from '../../../main/service/service-address.ts';

const parse = (enteredAddress: string) =>
  parseServiceAddress({ baseUrl: enteredAddress, authUrl: 'https://sign.in' }).baseUrl;

it.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['  HTTPS://API.Example.com:443//  ', 'https://api.example.com'],
  ['api.example.com', 'https://api.example.com'],
  ['https://example.com/tiling/', 'https://example.com/tiling'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://192.168.1.10:8080', 'http://192.168.1.10:8080'],
  ['http://[fd00::2]', 'http://[fd00::2]'],
  ['http://ion.internal/api/', 'http://ion.internal/api'],
])('parseServiceAddress parses %s as %s', (enteredAddress, address) =>
  expect(parse(enteredAddress)).toBe(address),
);

it.each([
  '',
  'https://',
  'http://api.example.com',
  'http://127.0.0.1.example.com',
  'http://93.184.216.34',
  'http://[::ffff:93.184.216.34]',
  'http://[2606:2800:220:1::1]',
  'http://localhost.example.com',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://me:secret@example.com',
  'https://@example.com',
  'https://example.com/?a=1',
  'https://example.com/#a',
  'https://exa mple.com',
  'https://exa\tmple.com',
  `https://example.com/${'a'.repeat(2100)}`,
])('parseServiceAddress refuses %s', (enteredAddress) => {
  expect(() => parse(enteredAddress)).toThrow(expect.objectContaining({ code: 'service-address-invalid' }));
});

it('parseServiceAddress checks the sign-in address as well and names the wrong one', () => {
  const enteredService = { baseUrl: 'https://api.example.com', authUrl: 'http://sign.in' };
  expect(() => parseServiceAddress(enteredService)).toThrow(
    '“http://sign.in” is not a valid service address.',
  );
});

it('parseServiceAddress returns an https or private address that parses to itself', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ validSchemes: ['http', 'https', 'ftp'], withQueryParameters: true }),
      (enteredAddress) => {
        let address: string;
        try {
          address = parse(enteredAddress);
        } catch {
          return;
        }
        expect(parse(address)).toBe(address);
        expect(address.endsWith('/')).toBe(false);
        expect(address.startsWith('https://') || isPrivateHost(new URL(address).hostname)).toBe(true);
      },
    ),
  );
});

it('parseServiceAddress accepts every preset unchanged', () => {
  for (const { baseUrl, authUrl } of servicePresets) {
    expect(parseServiceAddress({ baseUrl, authUrl })).toEqual({ baseUrl, authUrl });
  }
});

it('assetPageAddress() returns the page of an asset', () => {
  const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };
  expect(assetPageAddress(address, 12)).toBe('https://example.com/assets/12');
});
