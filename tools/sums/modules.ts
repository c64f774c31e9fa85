import { readFileSync } from 'node:fs';
import loadWabt from 'wabt';
import { md5LanesText } from './md5-lanes-text.ts';

const crc32Fold = new URL('../../main/source/sums/crc32-fold.wat', import.meta.url);

/** The modules behind `main/source/sums/`, from their texts, in Base64. */
export async function makeModules(): Promise<{ readonly crc32Fold: string; readonly md5Lanes: string }> {
  const wabt = await loadWabt();
  const compile = (name: string, text: string) => {
    const { buffer } = wabt.parseWat(name, text, { simd: true, bulk_memory: true }).toBinary({});
    return Buffer.from(buffer).toString('base64');
  };
  return {
    crc32Fold: compile('crc32-fold.wat', readFileSync(crc32Fold, 'utf8')),
    md5Lanes: compile('md5-lanes.wat', md5LanesText()),
  };
}
