/** Whether two gitignore patterns can match the same file. Pure. */

/**
 * Compares the fixed beginnings and ends of two patterns; true if these don't differ. A name with an
 * extension (`*.tif`) counts as a file's; folders with such names are detected at run time.
 */
export function canOverlap(pattern: string, otherPattern: string): boolean {
  const [a, b] = [fixedParts(pattern), fixedParts(otherPattern)];
  if (a === null || b === null) return false;
  const areAnchored = a.path !== null && b.path !== null;
  return (
    startAlike(a.name, b.name) &&
    (a.end.endsWith(b.end) || b.end.endsWith(a.end)) &&
    (!areAnchored || startAlike(a.path ?? '', b.path ?? ''))
  );
}

const startAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** `path`: null if it matches at any depth. Null for comments, empty lines and negations. */
function fixedParts(line: string) {
  if (line.trim() === '' || /^[#!]/.test(line)) return null;
  const bare = line.trimEnd().normalize('NFC').toLowerCase();
  const inner = bare.replace(/^\//, '');
  const isAnchored = bare.startsWith('/') || inner.slice(0, -1).includes('/');
  const lastPiece = inner.split('/').at(-1) ?? '';
  const fixedStart = (text: string) => text.split(/[*?[\\]/, 1)[0] ?? '';
  // Any other pattern may match a folder, with all files below.
  const isFile = /\.[^*?[\].\\]+$/.test(lastPiece);
  return {
    path: isAnchored ? fixedStart(inner) : null,
    name: isFile ? fixedStart(lastPiece) : '',
    end: isFile ? (lastPiece.split(/[*?[\]\\]/).at(-1) ?? '') : '',
  };
}
