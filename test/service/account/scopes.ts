/** Contract 2.5, with the words of the authorization page. */
export const scopeWords = {
  'assets:list': 'See the list of your assets',
  'assets:read': 'Read your assets, their details and their tiled data',
  'assets:write': 'Create, change and delete assets in your account',
  geocode: 'Look up places and addresses',
  'profile:read': 'Read your name, email address and storage',
  'tokens:read': 'Read your access tokens',
  'tokens:write': 'Create, change and delete access tokens',
} as const;

export type Scope = keyof typeof scopeWords;

/** Scopes that applications may request (contract 4.1): all but geocode. */
const applicationScopes: readonly Scope[] = ['assets:list', 'assets:read', 'assets:write'];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeWords, text);
}

/** Scopes that first-party clients request beyond the contract. */
const firstPartyScopes: readonly Scope[] = ['profile:read', 'tokens:read', 'tokens:write'];

/** The distinct scopes of a space-separated list; undefined if it is empty or contains an invalid one. */
export function parseScopes(list: string, beyondContract: boolean): readonly Scope[] | undefined {
  const names = [...new Set(list.split(' ').filter((name) => name !== ''))];
  const knownScopes = beyondContract ? [...applicationScopes, ...firstPartyScopes] : applicationScopes;
  const scopes = knownScopes.filter((scope) => names.includes(scope));
  return names.length > 0 && scopes.length === names.length ? scopes : undefined;
}
