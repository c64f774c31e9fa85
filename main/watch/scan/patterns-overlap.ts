/** Whether two gitignore patterns can match the same file. Pure. */

/**
 * Returns true if unknown. A name with an extension (`*.tif`) counts as a file's; folders with such names are
 * detected at run time.
 */
export function canOverlap(pattern: string, otherPattern: string): boolean {
  const [a, b] = [piecesOf(pattern), piecesOf(otherPattern)];
  if (a === null || b === null) return false;
  return piecesOverlap(a, b, 0, 0, new Map());
}

/** Null for comments, empty lines and negations. */
function piecesOf(line: string): readonly string[] | null {
  if (line.trim() === '' || /^[#!]/.test(line)) return null;
  const bare = line.trimEnd().normalize('NFC').toLowerCase();
  const isFolder = bare.endsWith('/');
  const inner = bare.replace(/^\//, '').replace(/\/$/, '');
  const anchored = bare.startsWith('/') || inner.includes('/');
  const pieces = [...(anchored ? [] : ['**']), ...inner.split('/')];
  const lastPiece = pieces.at(-1) ?? '';
  const isFile = !isFolder && /\.[^*?[\].]+$/.test(lastPiece);
  return isFile ? pieces : [...pieces, '**'];
}

function piecesOverlap(
  a: readonly string[],
  b: readonly string[],
  i: number,
  j: number,
  cache: Map<string, boolean>,
): boolean {
  const key = `${i} ${j}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  // Prevents endless recursion.
  cache.set(key, false);
  const [piece, otherPiece] = [a[i], b[j]];
  let answer: boolean;
  if (piece === undefined && otherPiece === undefined) answer = true;
  else if (piece === '**')
    answer =
      piecesOverlap(a, b, i + 1, j, cache) ||
      (otherPiece !== undefined && piecesOverlap(a, b, i, j + 1, cache));
  else if (otherPiece === '**')
    answer =
      piecesOverlap(a, b, i, j + 1, cache) || (piece !== undefined && piecesOverlap(a, b, i + 1, j, cache));
  else if (piece === undefined || otherPiece === undefined) answer = false;
  else
    answer =
      namesOverlap(signsOf(piece), signsOf(otherPiece), 0, 0, new Map()) &&
      piecesOverlap(a, b, i + 1, j + 1, cache);
  cache.set(key, answer);
  return answer;
}

/** Null matches any character, `many` any number of them. */
type Sign = { readonly kind: 'many' } | { readonly kind: 'one'; readonly sign: string | null };

function signsOf(piece: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (const [token] of piece.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\*+|./gsu)) {
    if (token.startsWith('*')) signs.push({ kind: 'many' });
    else if (token === '?' || (token.startsWith('[') && token.length > 1))
      signs.push({ kind: 'one', sign: null });
    else
      signs.push({ kind: 'one', sign: token.length > 1 && token.startsWith('\\') ? token.slice(1) : token });
  }
  return signs;
}

function namesOverlap(
  a: readonly Sign[],
  b: readonly Sign[],
  i: number,
  j: number,
  cache: Map<string, boolean>,
): boolean {
  const key = `${i} ${j}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const [sign, otherSign] = [a[i], b[j]];
  let answer: boolean;
  if (!sign && !otherSign) answer = true;
  else if (sign?.kind === 'many')
    answer = namesOverlap(a, b, i + 1, j, cache) || (!!otherSign && namesOverlap(a, b, i, j + 1, cache));
  else if (otherSign?.kind === 'many')
    answer = namesOverlap(a, b, i, j + 1, cache) || (!!sign && namesOverlap(a, b, i + 1, j, cache));
  else if (!sign || !otherSign) answer = false;
  else {
    const fits = sign.sign === null || otherSign.sign === null || sign.sign === otherSign.sign;
    answer = fits && namesOverlap(a, b, i + 1, j + 1, cache);
  }
  cache.set(key, answer);
  return answer;
}
