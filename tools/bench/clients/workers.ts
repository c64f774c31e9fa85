import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, program = ''] = process.argv;
const siblingUrl = (name: string) => pathToFileURL(join(dirname(program), `${name}.js`));

export const uploadWorker = siblingUrl('upload-worker');
export const scanWorker = siblingUrl('scan-worker');
