import { shell } from 'electron';
import type { OpenBrowser } from '../outside.ts';
import { isWebAddress } from './web-address.ts';

/** Opens https addresses, and http ones of this machine, in the system browser; refuses everything else. */
export const openInBrowser: OpenBrowser = async (address) => {
  if (!isWebAddress(address)) throw new Error('Only web addresses are opened');
  await shell.openExternal(address);
};
