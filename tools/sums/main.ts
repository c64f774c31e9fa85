/** Writes `crc32-fold-code.ts` and `md5-lanes-code.ts` in `main/source/sums/` anew. */
import { writeFileSync } from 'node:fs';
import { makeModules } from './modules.ts';

/** Signs in a line of the source. */
const lineLength = 104;

function write(file: string, name: string, origin: string, code: string): void {
  const lines = code.match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  const quoted = lines.map((line) => `  '${line}'`).join(' +\n');
  const about = `/** \`${origin}\` as WebAssembly, in Base64: written by \`tools/sums/main.ts\`. */`;
  const folder = new URL('../../main/source/sums/', import.meta.url);
  writeFileSync(new URL(file, folder), `${about}\nexport const ${name} =\n${quoted};\n`);
}

const { crc32Fold, md5Lanes } = await makeModules();
write('crc32-fold-code.ts', 'crc32FoldCode', 'crc32-fold.wat', crc32Fold);
write('md5-lanes-code.ts', 'md5LanesCode', 'tools/sums/md5-lanes-text.ts', md5Lanes);
