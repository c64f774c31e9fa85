import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { TileliftError } from '../errors.ts';

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** All the certificates of a system together are less. */
const mostBytes = 4 * 1024 * 1024;

/**
 * The certificate authorities of a PEM file, one text each; none for null. Throws `authority-file-unusable`, naming the file, where it can't be read, holds no
 * certificate, or something that is none.
 */
export function readAuthorityFile(path: string | null): readonly string[] {
  if (path === null) return [];
  try {
    if (statSync(path).size > mostBytes) throw new Error('the file is too large');
    const blocks = readFileSync(path, 'utf8').match(block);
    if (!blocks) throw new Error('the file holds no certificate');
    return blocks.map((pem) => new X509Certificate(pem).toString());
  } catch (cause) {
    throw new TileliftError('authority-file-unusable', { subject: path, cause });
  }
}
