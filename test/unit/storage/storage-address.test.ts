import { describe, expect, it } from 'vitest';
import { refuseStorageAddress, storageAddress } from '../../../main/storage/storage-address.ts';

const remote = 'https://api.tiles.example';
const refuse = (endpoint: string | undefined, service: string, allowsPlain: boolean | 'private' = false) =>
  refuseStorageAddress({ bucket: 'tiles', ...(endpoint ? { endpoint } : {}) }, service, allowsPlain)?.code;

it.each(['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000'])(
  'storage without TLS is allowed at %s, where only this computer can listen',
  (endpoint) => expect(refuse(endpoint, 'http://127.0.0.1:8080')).toBeUndefined(),
);

it.each([
  'http://s3.example',
  'HTTP://S3.example:9000/base',
  'http://127.0.0.2:9000',
  'http://localhost.example',
  'http://10.0.0.1',
])('storage without TLS is allowed at %s only with permission', (endpoint) => {
  expect(refuseStorageAddress({ bucket: 'tiles', endpoint }, 'http://127.0.0.1', false)).toMatchObject({
    code: 'storage-plain',
    subject: new URL(endpoint).origin,
  });
  expect(refuse(endpoint, 'http://127.0.0.1', true)).toBeUndefined();
});

it('S154: storage without TLS is allowed only in private networks for a service there that uses http itself', () => {
  const service = 'http://192.168.0.9';
  expect(refuse('http://10.0.0.1:9000', service, 'private')).toBeUndefined();
  expect(refuse('http://s3.example', service, 'private')).toBe('storage-plain');
  expect(refuse('http://127.0.0.2:9000', service, 'private')).toBe('storage-private');
});

const thisComputer = [
  'https://localhost',
  'https://localhost.:9000',
  'https://tiles.localhost',
  'https://127.0.0.1',
  'https://127.8.9.10',
  'https://127.1',
  'https://2130706433',
  'https://0x7f.0.0.1',
  'https://0177.0.0.1',
  'https://0.0.0.0',
  'https://[::1]',
  'https://[::]',
  'https://[0:0:0:0:0:0:0:1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
];
const privateNetworks = [
  'https://10.0.0.1',
  'https://167772161',
  'https://172.16.0.1',
  'https://172.31.255.255',
  'https://192.168.178.1',
  'https://100.64.0.1',
  'https://169.254.169.254',
  'https://[fe80::1]',
  'https://[fc00::1]',
  'https://[fdff::1]',
  'https://[::ffff:192.168.0.1]',
  'https://minio',
  'https://nas.local',
  'https://metadata.google.internal',
];
const internet = [
  undefined,
  'https://s3.example',
  'https://s3.example:9000/base',
  'https://172.32.0.1',
  'https://8.8.8.8',
  'https://[2001:db8::1]',
  'https://[::ffff:8.8.8.8]',
  'https://localhost.example',
  'https://10.0.0.1.example',
];

describe.each([false, true])('refuseStorageAddress() (plain storage allowed: %s)', (allowsPlain) => {
  it.each(thisComputer)('accepts %s only for a service on this computer', (endpoint) => {
    expect(refuse(endpoint, remote, allowsPlain)).toBe('storage-private');
    expect(refuse(endpoint, 'https://192.168.0.9', allowsPlain)).toBe('storage-private');
    expect(refuse(endpoint, 'http://127.0.0.1:8080', allowsPlain)).toBeUndefined();
    expect(refuse(endpoint, 'http://localhost:8080', allowsPlain)).toBeUndefined();
    expect(refuse(endpoint, 'http://[::1]:8080', allowsPlain)).toBeUndefined();
  });

  it.each(privateNetworks)('S35: accepts %s for a private service or one on this computer', (endpoint) => {
    expect(refuse(endpoint, remote, allowsPlain)).toBe('storage-private');
    expect(refuse(endpoint, 'https://192.168.0.9', allowsPlain)).toBeUndefined();
    expect(refuse(endpoint, 'https://tiles.local', allowsPlain)).toBeUndefined();
    expect(refuse(endpoint, 'http://localhost:8080', allowsPlain)).toBeUndefined();
  });

  it.each(internet)('accepts %s for any service', (endpoint) => {
    for (const service of [remote, 'https://10.0.0.1', 'http://localhost'])
      expect(refuse(endpoint, service, allowsPlain)).toBeUndefined();
  });
});

it('storageAddress() puts the bucket before host names, never before addresses or localhost', () => {
  const hostOf = (endpoint: string) => storageAddress('evil', endpoint, true).host;
  expect(hostOf('https://s3.example')).toBe('evil.s3.example');
  for (const host of ['localhost', 'localhost.', 'tiles.localhost', '127.0.0.1', '[::1]'])
    expect(hostOf(`http://${host}`)).toBe(host);
});
