import { calculatePKCECodeChallenge, generateRandomState } from 'oauth4webapi';
import { z } from 'zod';
import type { ServiceAddress } from '../../service/model.ts';
import { redirectUri, scopes } from './model.ts';

export const signInLifeMs = 10 * 60_000;

/** The vault stores it, so that a callback that starts Tilelift finds it. */
export const pendingSignInSchema = z.object({
  address: z.object({ baseUrl: z.string(), authUrl: z.string() }),
  accountId: z.string().min(1).max(100),
  clientId: z.string().min(1),
  redirectUri: z.string(),
  state: z.string().min(43),
  verifier: z.string().min(43).max(128),
  link: z.string(),
  endsAt: z.number(),
});
export type PendingSignIn = Readonly<z.infer<typeof pendingSignInSchema>>;

/** Creates a request with a fresh state and verifier. */
export async function createPendingSignIn(
  address: ServiceAddress,
  accountId: string,
  clientId: string,
  nowMs: number,
  redirect = redirectUri,
): Promise<PendingSignIn> {
  const state = generateRandomState();
  const verifier = generateRandomState();
  const challenge = await calculatePKCECodeChallenge(verifier);
  const link = authorizationAddress({ authUrl: address.authUrl, clientId, redirect, state, challenge });
  const endsAt = nowMs + signInLifeMs;
  return { address, accountId, clientId, redirectUri: redirect, state, verifier, link, endsAt };
}

/** Contract 4.1; state and verifier have 43 characters of base64url (RFC 7636 4.1). */
function authorizationAddress(request: {
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirect: string;
  readonly state: string;
  /** Base64url of the verifier's SHA-256. */
  readonly challenge: string;
}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirect,
    scope: scopes,
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  });
  return `${request.authUrl}/oauth?${query}`;
}
