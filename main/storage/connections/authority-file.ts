import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { TileliftError } from '../../errors.ts';

const [blockBegins, blockEnds] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
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
