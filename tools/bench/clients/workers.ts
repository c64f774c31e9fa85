import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, program = ''] = process.argv;
const beside = (name: string) => pathToFileURL(join(dirname(program), `${name}.js`));

export const uploadWorker = beside('upload-worker');
export const scanWorker = beside('scan-worker');
