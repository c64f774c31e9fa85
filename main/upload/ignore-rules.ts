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
  const folderShapes = folders.map(toExpression);
  const fileShapes = files.map(toExpression);
  return (name, isFolder) => (isFolder ? folderShapes : fileShapes).some((shape) => shape.test(name));
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.split('*').map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'is');
}
