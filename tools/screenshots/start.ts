import { join } from 'node:path';
import { runnerImport } from 'vite';

/** Runs `main.ts` as Vite reads modules: the pages' catalogue is found by a pattern that Node can't read. */
await runnerImport(join(import.meta.dirname, 'main.ts'));
