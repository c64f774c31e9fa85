import { calculatePKCECodeChallenge, generateRandomState } from 'oauth4webapi';
import { z } from 'zod';
import type { ServiceAddress } from '../service/model.ts';
import { redirectUri, scopes } from './model.ts';

/** How long a person has in the browser. */
export const signInLifeMs = 10 * 60_000;

/**
 * A sign-in that waits for its callback. Kept in the vault: a callback that starts Tilelift still finds it.
 */
export const pendingSignInSchema = z.object({
  address: z.object({ baseUrl: z.string(), authUrl: z.string() }),
  /** The account that it is for; those kept by earlier versions are for the service's first one. */
  accountId: z.string().min(1).max(100).optional(),
  clientId: z.string().min(1),
  /** Where the browser returns to; those kept by earlier versions have the scheme's. */
  redirectUri: z.string().default(redirectUri),
  state: z.string().min(43),
  verifier: z.string().min(43).max(128),
  /** The authorization page. */
  link: z.string(),
  /** ms since the epoch. */
  endsAt: z.number(),
});
export type PendingSignIn = Readonly<z.infer<typeof pendingSignInSchema>>;

/** A new request, with a state and a verifier that were never used before. */
export async function createPendingSignIn(
  address: ServiceAddress,
  accountId: string,
  clientId: string,
  now: number,
  redirect = redirectUri,
): Promise<PendingSignIn> {
  // 256 random bits each, as base64url without padding: 43 characters (RFC 7636 4.1, contract 4.1).
  const state = generateRandomState();
  const verifier = generateRandomState();
  const challenge = await calculatePKCECodeChallenge(verifier);
  const link = authorizationAddress({ authUrl: address.authUrl, clientId, redirect, state, challenge });
  const endsAt = now + signInLifeMs;
  return { address, accountId, clientId, redirectUri: redirect, state, verifier, link, endsAt };
}

/** The authorization page for the person's browser (contract 4.1). */
function authorizationAddress(request: {
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirect: string;
  readonly state: string;
  /** base64url of the SHA-256 of the verifier. */
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
