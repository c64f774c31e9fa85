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
  let bestMatch: { format: TokenFormat; q: number; closeness: number } = {
    format: 'form',
    q: 0,
    closeness: 0,
  };
  for (const [format, type] of offers) {
    const { q: quality, closeness } = judge(ranges, type);
    if (quality > bestMatch.q || (quality === bestMatch.q && quality > 0 && closeness > bestMatch.closeness))
      bestMatch = { format, q: quality, closeness };
  }
  // A wildcard isn't a request for XML or a form.
  return bestMatch.q > 0 && bestMatch.closeness === 0 ? 'json' : bestMatch.format;
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
    const qualityValue = quality === undefined ? 1 : Number(quality.slice(2));
    return { type, q: Number.isFinite(qualityValue) ? Math.min(Math.max(qualityValue, 0), 1) : 0 };
  });
}
