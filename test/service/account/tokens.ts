import { createHash, randomBytes } from 'node:crypto';
import type { Behaviour } from '../model.ts';
import { OAuthError } from './oauth-error.ts';
import type { Scope } from './scopes.ts';

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly account: string;
}

/** Contract 2.7; expiry fields in seconds. The earlier flow (part 9) only returns the first two fields. */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly refresh_token_expires_in?: number;
}

interface TokenLives extends Pick<Behaviour, 'accessTokenSeconds' | 'refreshTokenSeconds' | 'flow'> {
  readonly codeSeconds: number;
}

interface Code {
  readonly grant: Grant;
  /** Undefined in the earlier flow without PKCE. */
  readonly challenge: string | undefined;
  readonly endsAt: number;
  isUsed: boolean;
}

interface Token {
  readonly grant: Grant | undefined;
  readonly scopes: readonly Scope[];
  readonly account: string;
  readonly endsAt: number;
}

/**
 * Codes and tokens of the accounts (contract 2.7, 3.3, 4.3, 4.4). `now` returns ms of a clock without skew.
 */
export class Tokens {
  readonly #codes = new Map<string, Code>();
  readonly #access = new Map<string, Token>();
  readonly #refresh = new Map<string, Token>();
  readonly #secrets: string[] = [];
  readonly #tokenLives: TokenLives;
  readonly #now: () => number;
  readonly #firstAccount: string;

  /** Changes to `tokenLives` apply to tokens issued later. */
  constructor(tokenLives: TokenLives, now: () => number, firstAccount = '') {
    this.#tokenLives = tokenLives;
    this.#now = now;
    this.#firstAccount = firstAccount;
  }

  issueCode(grant: Grant, challenge: string | undefined): string {
    const code = this.#secret();
    const endsAt = this.#now() + this.#tokenLives.codeSeconds * 1000;
    this.#codes.set(code, { grant, challenge, endsAt, isUsed: false });
    return code;
  }

  /**
   * The authorization_code grant. A second use revokes the first one's tokens (RFC 6749 4.1.2). Throws
   * OAuthError.
   */
  redeemCode(
    code: string,
    verifier: string | undefined,
    clientId: string,
    redirectUri: string,
  ): IssuedTokens {
    const entry = this.#codes.get(code);
    if (!entry) throw new OAuthError('invalid_grant', 'The code is not valid.');
    if (entry.isUsed) {
      this.#revoke(entry.grant);
      throw new OAuthError('invalid_grant', 'The code has been used already.');
    }
    if (entry.endsAt <= this.#now()) throw new OAuthError('invalid_grant', 'The code has expired.');
    checkHolder(entry.grant, clientId, redirectUri);
    const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
    if (challenge !== entry.challenge) {
      throw new OAuthError('invalid_grant', 'code_verifier does not belong to the code_challenge.');
    }
    entry.isUsed = true;
    if (verifier !== undefined) this.#secrets.push(verifier);
    return this.#issue(entry.grant);
  }

  /**
   * The refresh_token grant: a new pair with the same scope; the old refresh token becomes invalid. Throws
   * OAuthError.
   */
  refresh(refreshToken: string, clientId: string, redirectUri: string): IssuedTokens {
    const entry = this.#refresh.get(refreshToken);
    if (!entry?.grant) throw new OAuthError('invalid_grant', 'The refresh token is not valid.');
    if (entry.endsAt <= this.#now()) throw new OAuthError('invalid_grant', 'The refresh token has expired.');
    checkHolder(entry.grant, clientId, redirectUri);
    this.#refresh.delete(refreshToken);
    return this.#issue(entry.grant);
  }

  /** Creates a token as in the account's settings (contract 5, 2): no refresh, no expiry. */
  make(scopes: readonly Scope[], token = this.#secret()): string {
    if (!this.#secrets.includes(token)) this.#secrets.push(token);
    const account = this.#firstAccount;
    this.#access.set(token, { grant: undefined, scopes, account, endsAt: Number.POSITIVE_INFINITY });
    return token;
  }

  holderOf(accessToken: string): Pick<Token, 'scopes' | 'account'> | undefined {
    const entry = this.#access.get(accessToken);
    return entry && entry.endsAt > this.#now() ? entry : undefined;
  }

  expireAccessTokens(account?: string): void {
    dropTokens(this.#access, account);
  }

  revokeRefreshTokens(account?: string): void {
    dropTokens(this.#refresh, account);
  }

  secrets(): readonly string[] {
    return this.#secrets;
  }

  #secret(): string {
    const secret = randomBytes(32).toString('base64url');
    this.#secrets.push(secret);
    return secret;
  }

  #issue(grant: Grant): IssuedTokens {
    const { accessTokenSeconds, refreshTokenSeconds, flow } = this.#tokenLives;
    const access = this.#secret();
    const { scopes, account } = grant;
    this.#access.set(access, { grant, scopes, account, endsAt: this.#now() + accessTokenSeconds * 1000 });
    if (flow === 'earlier') return { access_token: access, token_type: 'bearer' };
    const refresh = this.#secret();
    this.#refresh.set(refresh, { grant, scopes, account, endsAt: this.#now() + refreshTokenSeconds * 1000 });
    return {
      access_token: access,
      token_type: 'bearer',
      refresh_token: refresh,
      expires_in: accessTokenSeconds,
      refresh_token_expires_in: refreshTokenSeconds,
    };
  }

  #revoke(grant: Grant): void {
    for (const tokens of [this.#access, this.#refresh]) {
      for (const [token, entry] of tokens) if (entry.grant === grant) tokens.delete(token);
    }
  }
}

function dropTokens(tokens: Map<string, Token>, account: string | undefined): void {
  for (const [token, entry] of tokens)
    if (account === undefined || entry.account === account) tokens.delete(token);
}

/** Contract 5, 6: a repeated request must be identical. */
function checkHolder(grant: Grant, clientId: string, redirectUri: string): void {
  if (grant.clientId !== clientId) throw new OAuthError('invalid_grant', 'This was given to another client.');
  if (grant.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri differs from the one of the authorization.');
  }
}
