import { join } from 'node:path';
import { runnerImport } from 'vite';

/** Runs `main.ts` through Vite, because Node can't resolve the glob import of the pages' catalogue. */
await runnerImport(join(import.meta.dirname, 'main.ts'));
