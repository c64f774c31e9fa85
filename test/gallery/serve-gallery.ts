import { join } from 'node:path';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { contentSecurityPolicy } from '../../main/desktop/window/page-files.ts';
import { withThirdLanguage } from './third-language.ts';

/** The gallery in English, German and the pseudo-locale, built and served once for all test files. */
export interface ServedGallery {
  readonly address: string;
  /** The copy of the source with the pseudo-locale. */
  readonly root: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly gallery: ServedGallery;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const copy = await withThirdLanguage();
  const { address, close } = await serveGallery(copy.root);
  project.provide('gallery', { address, root: copy.root });
  return async () => {
    await close();
    await copy[Symbol.asyncDispose]();
  };
}

/**
 * Builds the gallery and serves it with the content security policy of the product's pages.
 *
 * @param root the folder of the source
 */
export async function serveGallery(
  root: string,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const configFile = join(root, 'gallery', 'vite.config.ts');
  // Vitest sets another one, with which Svelte would compile its slow checks for developers.
  process.env.NODE_ENV = 'production';
  await build({ configFile, logLevel: 'error' });
  const server = await preview({
    configFile,
    logLevel: 'error',
    preview: { port: 0, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  });
  const [address] = server.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error('The gallery is not served.');
  return { address, close: () => server.close() };
}
