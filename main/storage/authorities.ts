import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { TileliftError } from '../errors.ts';

const [blockBegins, blockEnds] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
const maxBytes = 4 * 1024 * 1024;

/** Certificates (PEM) of a file; none for null. Throws `authority-file-unusable`. */
export function readAuthorityFile(path: string | null): readonly string[] {
  if (path === null) return [];
  try {
    if (statSync(path).size > maxBytes) throw new Error('the file is too large');
    const blocks = blocksIn(readFileSync(path, 'utf8'));
    if (blocks.length === 0) throw new Error('the file holds no certificate');
    return blocks.map((pem) => new X509Certificate(pem).toString());
  } catch (cause) {
    throw new TileliftError('authority-file-unusable', { subject: path, cause });
  }
}

function blocksIn(text: string): readonly string[] {
  const blocks: string[] = [];
  let end = 0;
  for (let start = text.indexOf(blockBegins); start !== -1; start = text.indexOf(blockBegins, end)) {
    end = text.indexOf(blockEnds, start);
    if (end === -1) break;
    end += blockEnds.length;
    blocks.push(text.slice(start, end));
  }
  return blocks;
}

/**
 * Node's, the system's and further authorities (PEM). Null if only Node's, which threads needn't read again.
 */
export function trustedAuthorities(extraAuthorities: readonly string[]): readonly string[] | null {
  const authorities = new Map(getCACertificates('default').map((pem) => [contentOf(pem), pem]));
  const defaultCount = authorities.size;
  for (const pem of [...systemAuthorities(), ...extraAuthorities]) {
    const content = contentOf(pem);
    if (!authorities.has(content)) authorities.set(content, pem);
  }
  return authorities.size === defaultCount ? null : [...authorities.values()];
}

/** Node and systems break PEM lines differently. */
function contentOf(pem: string): string {
  return pem.replaceAll(/\s/g, '');
}

let systemCertificates: readonly string[] | undefined;

/** Read once, since it takes many files. Empty if unreadable. */
function systemAuthorities(): readonly string[] {
  try {
    systemCertificates ??= getCACertificates('system');
  } catch {
    systemCertificates = [];
  }
  return systemCertificates;
}
