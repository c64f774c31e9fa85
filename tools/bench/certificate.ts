import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { standardHosts } from './door.ts';

export interface Certificate {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const exec = promisify(execFile);
const addresses = ['127.0.0.1', ...Object.values(standardHosts)];
const names = [...addresses.map((address) => `IP:${address}`), 'DNS:localhost'].join(',');

/**
 * Makes a certificate authority and a certificate for the stand-in, valid for two days. Node can't make
 * certificates.
 *
 * @throws if `openssl` is missing
 */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const pathOf = (name: string) => join(folder, name);
  const [caFile, caKey, certFile, keyFile] = [
    pathOf('ca.pem'),
    pathOf('ca.key'),
    pathOf('server.pem'),
    pathOf('server.key'),
  ];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const openssl = async (...args: string[]) => {
    try {
      await exec('openssl', args);
    } catch (cause) {
      throw new Error('HTTPS needs a certificate, and the openssl program that makes it did not run.', {
        cause,
      });
    }
  };
  await writeFile(
    pathOf('server.ext'),
    `subjectAltName=${names}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n`,
  );
  const caParts = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign',
  ];
  const caName = ['-subj', '/CN=Tilelift benchmark authority'];
  await openssl(
    ...['req', '-x509', ...newKey, '-keyout', caKey, '-out', caFile, '-days', '2', ...caName, ...caParts],
  );
  await openssl(
    ...['req', ...newKey, '-keyout', keyFile, '-out', pathOf('server.csr'), '-subj', '/CN=127.0.0.1'],
  );
  await openssl(
    ...['x509', '-req', '-in', pathOf('server.csr'), '-CA', caFile, '-CAkey', caKey, '-CAcreateserial'],
    ...['-out', certFile, '-days', '2', '-extfile', pathOf('server.ext')],
  );
  return { caFile, certFile, keyFile };
}
