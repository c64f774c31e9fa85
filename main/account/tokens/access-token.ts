import { TileliftError, toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Network } from '../../service/http-request.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { createServiceClient } from '../../service/service-client.ts';

/** RFC 6750 2.1; excludes line breaks, which would add a header. */
const bearerToken = /^[\w.~+/-]+=*$/;
const maxLength = 16_384;

/** Unused, but every service understands it. */
const unusedAssetId = 2 ** 31 - 1;

/**
 * Checks that the token (contract 5, 2) may read assets and trims it. Write permission shows on the first
 * upload, before any byte is sent.
 * @throws TileliftError `access-token-refused`, or of a failed request
 */
export async function checkAccessToken(
  address: ServiceAddress,
  enteredToken: string,
  network: Network,
  log: Log,
  signal: AbortSignal,
): Promise<string> {
  const token = enteredToken.trim();
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
    await client.readAsset(unusedAssetId, signal);
    return token;
  } catch (cause) {
    signal.throwIfAborted();
    const error = toTileliftError(cause);
    // The token is valid.
    if (error.code === 'asset-not-found' || error.code === 'request-refused') return token;
    if (error.code !== 'invalid-credentials' && error.code !== 'scope-missing') throw error;
    throw new TileliftError('access-token-refused', {
      subject,
      ...(error.remote ? { remote: error.remote } : {}),
    });
  }
}
