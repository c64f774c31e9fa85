/** Whether two gitignore patterns can match the same file. Pure. */

/**
 * Returns true if unknown. A name with an extension (`*.tif`) counts as a file's; folders with such names are
 * detected at run time.
 */
export function canOverlap(one: string, other: string): boolean {
  const [a, b] = [piecesOf(one), piecesOf(other)];
  if (a === null || b === null) return false;
  return meet(a, b, 0, 0, new Map());
}

/** Null for comments, empty lines and negations. */
function piecesOf(line: string): readonly string[] | null {
  if (line.trim() === '' || /^[#!]/.test(line)) return null;
  const bare = line.trimEnd().normalize('NFC').toLowerCase();
  const isFolder = bare.endsWith('/');
  const inner = bare.replace(/^\//, '').replace(/\/$/, '');
  const anchored = bare.startsWith('/') || inner.includes('/');
  const pieces = [...(anchored ? [] : ['**']), ...inner.split('/')];
  const last = pieces.at(-1) ?? '';
  const isFile = !isFolder && /\.[^*?[\].]+$/.test(last);
  return isFile ? pieces : [...pieces, '**'];
}

function meet(
  a: readonly string[],
  b: readonly string[],
  i: number,
  j: number,
  known: Map<string, boolean>,
): boolean {
  const key = `${i} ${j}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  // Prevents endless recursion.
  known.set(key, false);
  const [one, other] = [a[i], b[j]];
  let answer: boolean;
  if (one === undefined && other === undefined) answer = true;
  else if (one === '**')
    answer = meet(a, b, i + 1, j, known) || (other !== undefined && meet(a, b, i, j + 1, known));
  else if (other === '**')
    answer = meet(a, b, i, j + 1, known) || (one !== undefined && meet(a, b, i + 1, j, known));
  else if (one === undefined || other === undefined) answer = false;
  else answer = namesMeet(signsOf(one), signsOf(other), 0, 0, new Map()) && meet(a, b, i + 1, j + 1, known);
  known.set(key, answer);
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

function namesMeet(
  a: readonly Sign[],
  b: readonly Sign[],
  i: number,
  j: number,
  known: Map<string, boolean>,
): boolean {
  const key = `${i} ${j}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const [one, other] = [a[i], b[j]];
  let answer: boolean;
  if (!one && !other) answer = true;
  else if (one?.kind === 'many')
    answer = namesMeet(a, b, i + 1, j, known) || (!!other && namesMeet(a, b, i, j + 1, known));
  else if (other?.kind === 'many')
    answer = namesMeet(a, b, i, j + 1, known) || (!!one && namesMeet(a, b, i + 1, j, known));
  else if (!one || !other) answer = false;
  else {
    const fits = one.sign === null || other.sign === null || one.sign === other.sign;
    answer = fits && namesMeet(a, b, i + 1, j + 1, known);
  }
  known.set(key, answer);
  return answer;
}
