type TokenFormat = 'json' | 'xml' | 'form';

const offers = [
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['form', 'application/x-www-form-urlencoded'],
] as const;

interface Range {
  readonly type: string;
  readonly q: number;
}

/**
 * Body format for an Accept header (contract 4.3, RFC 9110 12.5.1): the highest quality wins, then the closer
 * match, then JSON before XML before form. A bare wildcard or no header yields JSON, on which public clients
 * rely.
 */
export function tokenFormat(accept: string | undefined): TokenFormat {
  const ranges = parseAccept(accept ?? '*/*');
  let best: { format: TokenFormat; q: number; closeness: number } = { format: 'form', q: 0, closeness: 0 };
  for (const [format, type] of offers) {
    const { q, closeness } = judge(ranges, type);
    if (q > best.q || (q === best.q && q > 0 && closeness > best.closeness)) best = { format, q, closeness };
  }
  // A wildcard isn't a request for XML or a form.
  return best.q > 0 && best.closeness === 0 ? 'json' : best.format;
}

/** Quality of a type and how closely it matches: 2 by name, 1 as `application/*`, 0 by a bare wildcard. */
function judge(ranges: readonly Range[], type: string): { q: number; closeness: number } {
  const mediaTypes = ['*/*', 'application/*', type];
  for (const closeness of [2, 1, 0]) {
    const range = ranges.find((candidate) => candidate.type === mediaTypes[closeness]);
    if (range) return { q: range.q, closeness };
  }
  return { q: 0, closeness: 0 };
}

function parseAccept(header: string): readonly Range[] {
  return header.split(',').map((item) => {
    const [type = '', ...parameters] = item.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const q = quality === undefined ? 1 : Number(quality.slice(2));
    return { type, q: Number.isFinite(q) ? Math.min(Math.max(q, 0), 1) : 0 };
  });
}
