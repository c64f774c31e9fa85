import type { Clients } from '../account/clients.ts';
import { isScope, type Scope } from '../account/scopes.ts';
import type { Tokens } from '../account/tokens.ts';
import type { AssetBook } from '../assets/asset-book.ts';
import type { Behaviour, Seed, Seeded } from '../model.ts';

interface Field {
  readonly assets: AssetBook;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly behaviour: { -readonly [Name in keyof Behaviour]: Behaviour[Name] };
}

/** Applies a seed, or throws an error and changes nothing. */
export function sow(seed: Seed, { assets, clients, tokens, behaviour }: Field): Seeded {
  const { assets: newAssets = [], clients: newClients = [], tokens: newTokens = [], ...changed } = seed;
  const ids = newAssets.flatMap(({ id }) => id ?? []);
  const usedId = ids.find((id, index) => assets.get(id) !== undefined || ids.indexOf(id) !== index);
  if (usedId !== undefined) throw new Error(`There is an asset ${usedId} already.`);
  const scopesOfEach = newTokens.map(({ scopes }) => readScopes(scopes));

  for (const [name, value] of Object.entries(changed))
    if (value !== undefined) Object.assign(behaviour, { [name]: value });
  for (const client of newClients) clients.add(client);
  // Chosen ids come first, so that no other asset gets them.
  const chosenIds = new Map(newAssets.map((asset) => [asset, asset.id !== undefined]));
  const added = new Map(
    [...newAssets]
      .sort((id, otherId) => Number(chosenIds.get(otherId)) - Number(chosenIds.get(id)))
      .map((asset) => [asset, assets.add({ status: 'COMPLETE', ...asset }).id]),
  );
  return {
    assets: newAssets.flatMap((asset) => added.get(asset) ?? []),
    tokens: newTokens.map(({ token }, index) => tokens.make(scopesOfEach[index] ?? [], token)),
  };
}

/** Throws an error for an unknown scope (contract 2.5). */
export function readScopes(names: readonly string[]): readonly Scope[] {
  const scopes = names.filter(isScope);
  if (scopes.length !== names.length) throw new Error(`Not all of these are scopes: ${names.join(' ')}`);
  return scopes;
}
