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
  const folderShape = toExpression(folders);
  const fileShape = toExpression(files);
  return (name, isFolder) => (isFolder ? folderShape : fileShape).test(name);
}

/** One expression for all: a scan asks it 100,000 times. Without patterns it fits nothing. */
function toExpression(patterns: readonly string[]): RegExp {
  if (patterns.length === 0) return /(?!)/;
  const shapes = patterns.map((pattern) => {
    const pieces = pattern.split('*').map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
    return pieces.join('.*');
  });
  return new RegExp(`^(?:${shapes.join('|')})$`, 'is');
}
