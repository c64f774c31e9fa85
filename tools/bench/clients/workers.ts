import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, program = ''] = process.argv;
const beside = (name: string) => pathToFileURL(join(dirname(program), `${name}.js`));

/** Bundled workers next to the program. */
export const uploadWorker = beside('upload-worker');
export const scanWorker = beside('scan-worker');
