/** A tag; `name` has no prefix. */
type XmlTag =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: string;
      /** Text up to the next tag, with entities resolved. */
      readonly text: string;
    }
  | { readonly kind: 'close'; readonly name: string };

const longestName = 64;
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Yields tags of these names, even from parts of documents and malformed text, in linear time. */
export function* xmlTags(text: string, wanted: ReadonlySet<string>): Iterable<XmlTag> {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const section = skipped.find(([begin]) => text.startsWith(begin, at));
    if (section) {
      const end = text.indexOf(section[1], at);
      if (end === -1) return;
      at = end + 3;
      continue;
    }
    const isClose = text[at + 1] === '/';
    const from = at + (isClose ? 2 : 1);
    const whole = nameAt(text, from);
    const name = whole.slice(whole.indexOf(':') + 1);
    if (!wanted.has(name)) {
      at = from;
      continue;
    }
    const end = text.indexOf('>', from);
    if (end === -1) return;
    at = end + 1;
    if (isClose) yield { kind: 'close', name };
    else {
      const attributes = text.slice(from + whole.length, end);
      const inside = attributes.endsWith('/') ? '' : textAt(text, at);
      if (inside === null) return;
      yield { kind: 'open', name, attributes, text: inside };
    }
  }
}

function nameAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && end - from < longestName && /[\w:.-]/.test(text[end] ?? '')) end += 1;
  return text.slice(from, end);
}

/** Null if cut off. */
function textAt(text: string, from: number): string | null {
  const end = text.indexOf('<', from);
  if (end === -1) return null;
  if (!text.startsWith('<![CDATA[', end)) return resolved(text.slice(from, end)).trim();
  const close = text.indexOf(']]>', end);
  return close === -1 ? null : text.slice(end + 9, close).trim();
}

function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (whole: string, named: string) => {
    if (!named.startsWith('#')) return entities.get(named) ?? whole;
    const code = /^#x/i.test(named) ? Number.parseInt(named.slice(2), 16) : Number(named.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
