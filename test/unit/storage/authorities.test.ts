import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAuthorityFile, trustedAuthorities } from '../../../main/storage/authorities.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { suiteFolder } from '../../temporary-folder.ts';

const folder = suiteFolder();
let pem: string;
beforeAll(async () => {
  pem = await readFile((await makeCertificate(folder)).caFile, 'utf8');
});

async function file(text: string): Promise<string> {
  const path = join(folder, 'given.pem');
  await writeFile(path, text);
  return path;
}

it('readAuthorityFile() returns every certificate, whatever the text between them', async () => {
  expect(readAuthorityFile(await file(`# Office\n${pem}\nand\n${pem}`))).toEqual([pem, pem]);
  expect(readAuthorityFile(null)).toEqual([]);
});

it.each([
  ['text', 'hello'],
  ['nothing', ''],
  ['a block that is none', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('readAuthorityFile() refuses a file with %s and names it', async (_what, text) => {
  const path = await file(text);
  const refusal = expect.objectContaining({
    code: 'authority-file-unusable',
    message: expect.stringContaining(path),
  });
  expect(() => readAuthorityFile(path)).toThrow(refusal);
});

it('readAuthorityFile() refuses a missing file and names it', () => {
  expect(() => readAuthorityFile('/nowhere/ca.pem')).toThrow(/\/nowhere\/ca\.pem/);
});

describe('trusted authorities', () => {
  const content = (text: string) => text.replaceAll(/\s/g, '');

  it('trusted authorities are listed once each, however their lines are broken', () => {
    const [ownCertificate = ''] = rootCertificates;
    const [firstLine, ...middle] = ownCertificate.trim().split('\n');
    const body = middle.slice(0, -1).join('');
    const rewrapped = [firstLine, ...(body.match(/.{1,64}/g) ?? []), middle.at(-1), ''].join('\n');

    const trustedList = trustedAuthorities([rewrapped, pem]) ?? [];

    expect(trustedList).toContain(pem);
    expect(trustedList.filter((item) => content(item) === content(ownCertificate))).toHaveLength(1);
    expect(new Set(trustedList.map(content)).size).toBe(trustedList.length);
  });
});
