import { TileliftError, toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Network } from '../../service/http-request.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { createServiceClient } from '../../service/service-client.ts';

/** RFC 6750 2.1. Also what may stand in a header: a line break that was copied along would be another one. */
const bearerToken = /^[\w.~+/-]+=*$/;
const maxLength = 16_384;

/** An id that no account has, and every service understands. */
const nobodysAsset = 2 ** 31 - 1;

/**
 * Tries an access token of the account's settings (contract 5, 2), and gives it without the space around it.
 * It must be good for reading an asset: without that, nobody would learn what became of an upload. Listing is
 * not asked for; whether it may write can't be found out without creating an asset, so the first upload shows
 * it, before a byte is sent.
 *
 * @throws TileliftError `access-token-refused` for what is none, is not accepted or may not read assets, else
 *   what a failed request throws
 */
export async function checkAccessToken(
  address: ServiceAddress,
  typed: string,
  network: Network,
  log: Log,
  signal: AbortSignal,
): Promise<string> {
  const token = typed.trim();
  const subject = new URL(address.baseUrl).origin;
  if (token.length > maxLength || !bearerToken.test(token)) {
    throw new TileliftError('access-token-refused', { subject });
  }
  const client = createServiceClient({
    ...network,
    address,
    bearer: async () => token,
    onInvalidCredentials: null,
    log,
  });
  try {
    await client.readAsset(nobodysAsset, signal);
    return token;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toTileliftError(thrown);
    // The service knows the token, and not that asset; or has it, or refuses such an id.
    if (error.code === 'asset-not-found' || error.code === 'request-refused') return token;
    if (error.code !== 'invalid-credentials' && error.code !== 'scope-missing') throw error;
    throw new TileliftError('access-token-refused', {
      subject,
      ...(error.remote ? { remote: error.remote } : {}),
    });
  }
}
