import type { SignedInView } from '../../preload/contract.ts';

export interface AccountFact {
  readonly name: string;
  readonly value: string;
}

/** What Settings says of an account. */
export function accountFacts({ service, signedInBy }: SignedInView): readonly AccountFact[] {
  return [
    { name: 'API address', value: service.baseUrl },
    { name: 'Sign-in address', value: service.authUrl },
    ...(service.clientId === undefined ? [] : [{ name: 'Client id', value: service.clientId }]),
    ...(signedInBy === 'access-token'
      ? [{ name: 'Signed in with', value: 'An access token, which Tilelift can’t renew' }]
      : []),
  ];
}

/** Null when the client id can be used, else what is wrong with it. Main checks again. */
export function clientIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '' || /^\d+$/.test(id) || (/^https?:\/\//.test(id) && URL.canParse(id))) return null;
  return 'Give a number or an address that begins with https://, or leave it empty.';
}
