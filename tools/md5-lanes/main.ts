/** Prints `main/source/sums/md5-lanes-code.ts` anew: `node tools/md5-lanes/main.ts`. */
import { md5LanesCode } from './code.ts';

const code = await md5LanesCode();
const lines = code.match(/.{1,104}/g) ?? [];
console.log('/** `tools/md5-lanes/text.ts` as WebAssembly, in Base64; its test tells when that changes. */');
console.log(`export const md5LanesCode =\n${lines.map((line) => `  '${line}'`).join(' +\n')};`);
