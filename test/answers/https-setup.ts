import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeCertificate } from '../../tools/bench/certificate.ts';
import type { ServerCertificate } from '../service/model.ts';

/** Certificates of the service, which the test processes trust in all threads, and of a foreign server. */
export interface HttpsCertificates {
  readonly certificate: ServerCertificate;
  readonly impostorCertificate: ServerCertificate;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly https: HttpsCertificates;
  }
}

/** Runs before the test processes start, because Node only reads extra authorities at its start. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-https-'));
  const ownFiles = await certificateIn(join(folder, 'own'));
  const foreignFiles = await certificateIn(join(folder, 'other'));
  process.env.NODE_EXTRA_CA_CERTS = ownFiles.caFile;
  project.provide('https', {
    certificate: ownFiles.certificate,
    impostorCertificate: foreignFiles.certificate,
  });
  return () => rm(folder, { recursive: true, force: true });
}

async function certificateIn(folder: string) {
  await mkdir(folder);
  const { caFile, certFile, keyFile } = await makeCertificate(folder);
  const certificate = { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
  return { caFile, certificate };
}
