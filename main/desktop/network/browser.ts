import { shell } from 'electron';
import type { OpenBrowser } from '../../outside.ts';
import { isPageOfAService } from './page-of-a-service.ts';

/** Opens pages of the services known at that moment in the system browser; refuses everything else. */
export function guardedBrowser(services: () => readonly { readonly authUrl: string }[]): OpenBrowser {
  return async (address) => {
    if (!isPageOfAService(address, services()))
      throw new Error('Only pages of a service that Tilelift knows are opened');
    // As `URL` spells it: what was checked is what is opened.
    await shell.openExternal(new URL(address).href);
  };
}
