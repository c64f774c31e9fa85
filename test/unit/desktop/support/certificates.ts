import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Making {
  /** In openssl's syntax, one per line. */
  readonly extensions: string;
  /** Name of the signing certificate; default: self-signed. */
  readonly issuer?: string;
  /** Default: an EC key on P-256. */
  readonly key?: readonly string[];
  /** Default: SHA-256. */
  readonly digest?: string;
}

/** Real certificates, made by openssl in their own folder. */
export interface Certificates {
  /** Creates a certificate that is valid for two days. */
  make(name: string, making: Making): void;
  pem(name: string): string;
  end(): void;
}

export const isAuthority = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n';
export const isServer = (names: string, use = 'serverAuth') =>
  `basicConstraints=CA:FALSE\nsubjectAltName=${names}\nextendedKeyUsage=${use}\n`;

/** Arguments for openssl's `-newkey`. */
export const rsa = (bits: number) => [`rsa:${bits}`];
export const curve = (name: string) => ['ec', '-pkeyopt', `ec_paramgen_curve:${name}`];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}

export function beginCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-chain-'));
  const at = (file: string) => join(folder, file);
  return {
    make: (name, { extensions, issuer, key = curve('prime256v1'), digest = 'sha256' }) => {
      writeFileSync(at(`${name}.ext`), extensions);
      openssl(
        ...['req', '-newkey', ...key, '-nodes', '-subj', `/CN=${name}`],
        ...['-keyout', at(`${name}.key`), '-out', at(`${name}.csr`)],
      );
      const signer = issuer
        ? ['-CA', at(`${issuer}.pem`), '-CAkey', at(`${issuer}.key`), '-CAcreateserial']
        : ['-signkey', at(`${name}.key`)];
      openssl(
        ...['x509', '-req', '-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-days', '2', `-${digest}`],
        ...['-extfile', at(`${name}.ext`), ...signer],
      );
    },
    pem: (name) => readFileSync(at(`${name}.pem`), 'utf8'),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
