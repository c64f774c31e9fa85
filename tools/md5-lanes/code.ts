import loadWabt from 'wabt';
import { md5LanesText } from './text.ts';

/** The module in Base64. */
export async function md5LanesCode(): Promise<string> {
  const wabt = await loadWabt();
  const { buffer } = wabt.parseWat('md5-lanes.wat', md5LanesText(), { simd: true }).toBinary({});
  return Buffer.from(buffer).toString('base64');
}
