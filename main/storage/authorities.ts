import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { TileliftError } from '../errors.ts';

const [blockBegins, blockEnds] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
/** All the certificates of a system together are less. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The certificate authorities of a PEM file, one text each; none for null. Throws `authority-file-unusable`,
 * naming the file, where it can't be read, holds no certificate, or something that is none.
 */
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
  for (let at = text.indexOf(blockBegins); at !== -1; at = text.indexOf(blockBegins, end)) {
    end = text.indexOf(blockEnds, at);
    if (end === -1) break;
    end += blockEnds.length;
    blocks.push(text.slice(at, end));
  }
  return blocks;
}

/**
 * Certificate authorities to trust, PEM, each once: Node's own, the system's (where offices keep theirs), and
 * further ones. Null where that is no more than Node's own: these are then not read again for each thread,
 * which takes its time.
 */
export function trustedAuthorities(further: readonly string[]): readonly string[] | null {
  const all = new Map(getCACertificates('default').map((pem) => [contentOf(pem), pem]));
  const own = all.size;
  for (const pem of [...systemAuthorities(), ...further]) {
    const content = contentOf(pem);
    if (!all.has(content)) all.set(content, pem);
  }
  return all.size === own ? null : [...all.values()];
}

/** What Node brings and what a system has differ in how their lines are broken. */
function contentOf(pem: string): string {
  return pem.replaceAll(/\s/g, '');
}

let systemOnes: readonly string[] | undefined;

/** Read once: they come from many files. Left out where they can't be read. */
function systemAuthorities(): readonly string[] {
  try {
    systemOnes ??= getCACertificates('system');
  } catch {
    systemOnes = [];
  }
  return systemOnes;
}
