interface CatalogueBranch {
  readonly [name: string]: string | CatalogueBranch;
}

/** All messages of a catalogue by key. */
export function leaves(branch: CatalogueBranch, path = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(branch)) {
    const key = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') all.set(key, value);
    else for (const [leaf, text] of leaves(value, key)) all.set(leaf, text);
  }
  return all;
}
