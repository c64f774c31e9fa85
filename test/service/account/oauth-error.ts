/** Errors of RFC 6749 4.1.2.1 and 5.2, and of RFC 7591 3.2.2 for registration. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description);
    this.error = error;
  }

  /** RFC 6749 5.2. */
  get status(): number {
    return this.error === 'invalid_client' ? 401 : 400;
  }

  /** RFC 6749's fields, plus `code` and `message` of contract 7. */
  get body(): Readonly<Record<string, string>> {
    return {
      error: this.error,
      error_description: this.message,
      code: this.error.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      message: this.message,
    };
  }
}
