import { net } from 'electron';
import type { Fetch } from '../outside.ts';

/** `fetch` through Chromium's network: the system's proxy and certificates count. Sends no cookies, keeps no cache. */
export const systemFetch: Fetch = (input, init) =>
  net.fetch(input instanceof URL ? input.href : input, {
    ...init,
    credentials: 'omit',
    cache: 'no-store',
    bypassCustomProtocolHandlers: true,
  });
