/** What a scan leaves out by default: leftovers of systems and programs that are never data (design, "Scan"). */
export const defaultIgnorePatterns: readonly string[] = [
  '.DS_Store',
  'Thumbs.db',
  '~$*',
  '*.part',
  '*.tmp',
  '.git/',
];

/** True when an entry of this name is to be left out. */
export type Ignore = (name: string, isFolder: boolean) => boolean;

/**
 * Patterns are matched against the name of an entry, not its path, without regard to case: `*` stands for any run of
 * characters, a pattern that ends with `/` means folders only, every other one files only.
 */
export function createIgnore(patterns: readonly string[] = defaultIgnorePatterns): Ignore {
  const folders = patterns.filter((pattern) => pattern.endsWith('/')).map((pattern) => pattern.slice(0, -1));
  const files = patterns.filter((pattern) => !pattern.endsWith('/'));
  const [folderShapes, fileShapes] = [folders.map(piecesOf), files.map(piecesOf)];
  return (name, isFolder) => {
    const low = name.toLowerCase();
    return (isFolder ? folderShapes : fileShapes).some((pieces) => fits(low, pieces));
  };
}

const piecesOf = (pattern: string): readonly string[] => pattern.toLowerCase().split('*');

/** Each piece is taken where it comes first: an expression with several stars would try all places of each with all of the others. */
function fits(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
