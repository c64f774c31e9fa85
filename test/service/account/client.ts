/** An application of any of the three kinds (contract 2.6). */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** `anyPort`: a loopback address registered without a port matches any port (RFC 8252 7.3). */
export function hasRedirectUri({ redirectUris }: Client, uri: string, anyPort: boolean): boolean {
  return redirectUris.includes(uri) || (anyPort && redirectUris.includes(withoutPort(uri)));
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1');
}
