import { expect, it } from 'vitest';
import {
  isSameSite,
  isSurePair,
  refuseMixedPair,
  servicePresets,
} from '../../../main/service/address-pair.ts';

const [preset] = servicePresets;
const authUrl = preset?.authUrl ?? '';
const baseUrl = preset?.baseUrl ?? '';
const local = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:2' };
const knownServices = [...servicePresets, local];

it('refuseMixedPair() accepts a known sign-in page with its own API address', () => {
  expect(refuseMixedPair({ baseUrl, authUrl }, knownServices)).toBeNull();
  expect(refuseMixedPair(local, knownServices)).toBeNull();
});

it.each([
  ['another host', 'https://api.attacker.example', authUrl],
  ['the same host under another name', 'https://api.attacker.example', authUrl.replace('.com', '.com.')],
  ['another port of the sign-in host', 'https://api.attacker.example', `${authUrl}:8443`],
  ['a path below it', 'https://api.attacker.example', `${authUrl}/somewhere`],
  ['a path below the API address', `${baseUrl}/of/somebody`, authUrl],
  ['one of this machine', 'http://127.0.0.1:9', local.authUrl],
])('S7: refuseMixedPair() refuses %s and names it', (_what, api, signIn) => {
  const refusal = refuseMixedPair({ baseUrl: api, authUrl: signIn }, knownServices);
  expect(refusal).toMatchObject({ code: 'service-pair-mixed', subject: signIn, retryable: false });
});

it('refuseMixedPair() accepts further API addresses that the administrator knows', () => {
  const office = { baseUrl: 'https://tiles.office.example', authUrl };
  expect(refuseMixedPair(office, knownServices)).not.toBeNull();
  expect(refuseMixedPair(office, [...knownServices, office])).toBeNull();
});

it('refuseMixedPair() accepts the sign-in page of an unknown service', () => {
  const ownService = { baseUrl: 'https://api.own.example', authUrl: 'https://own.example' };
  expect(refuseMixedPair(ownService, knownServices)).toBeNull();
});

it.each([
  ['https://api.service.example', 'https://www.service.example'],
  ['https://api.service.co.uk', 'https://service.co.uk'],
  ['https://tiles', 'https://tiles'],
  ['https://tiles:8443', 'https://tiles'],
  ['https://10.0.0.1', 'https://10.0.0.1:444'],
  ['http://127.0.0.1:1', 'http://localhost:2'],
  ['https://api.service.example', 'https://service.example.'],
])('isSameSite() is true for %s and %s', async (firstUrl, secondUrl) =>
  expect(await isSameSite(firstUrl, secondUrl)).toBe(true),
);

it.each([
  ['https://api.service.example', 'https://service.test'],
  ['https://service.co.uk', 'https://attacker.co.uk'],
  ['https://attacker.github.io', 'https://service.github.io'],
  ['https://tiles', 'https://signin'],
  ['https://10.0.0.1', 'https://10.0.0.2'],
  ['http://127.0.0.1:1', 'https://service.example'],
  ['https://service.example.attacker.test', 'https://service.example'],
])('isSameSite() is false for %s and %s', async (firstUrl, secondUrl) => {
  expect(await isSameSite(firstUrl, secondUrl)).toBe(false);
  expect(await isSurePair({ baseUrl: firstUrl, authUrl: secondUrl }, knownServices)).toBe(false);
});

it('isSameSite() is true when a known service vouches for both', async () => {
  const office = { baseUrl: 'https://tiles.office.example', authUrl: 'https://accounts.hosted.test' };
  expect(await isSurePair(office, [])).toBe(false);
  expect(await isSurePair(office, [office])).toBe(true);
});
