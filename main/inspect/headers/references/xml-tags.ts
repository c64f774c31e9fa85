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

const maxNameLength = 64;
const skippedSections = [
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
export function* xmlTags(text: string, tagNames: ReadonlySet<string>): Iterable<XmlTag> {
  for (let offset = text.indexOf('<'); offset !== -1; offset = text.indexOf('<', offset)) {
    const section = skippedSections.find(([sectionStart]) => text.startsWith(sectionStart, offset));
    if (section) {
      const sectionEnd = text.indexOf(section[1], offset);
      if (sectionEnd === -1) return;
      offset = sectionEnd + 3;
      continue;
    }
    const isEndTag = text[offset + 1] === '/';
    const nameStart = offset + (isEndTag ? 2 : 1);
    const qualifiedName = nameAt(text, nameStart);
    const name = qualifiedName.slice(qualifiedName.indexOf(':') + 1);
    if (!tagNames.has(name)) {
      offset = nameStart;
      continue;
    }
    const tagEnd = text.indexOf('>', nameStart);
    if (tagEnd === -1) return;
    offset = tagEnd + 1;
    if (isEndTag) yield { kind: 'close', name };
    else {
      const attributes = text.slice(nameStart + qualifiedName.length, tagEnd);
      const content = attributes.endsWith('/') ? '' : textAt(text, offset);
      if (content === null) return;
      yield { kind: 'open', name, attributes, text: content };
    }
  }
}

function nameAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && end - start < maxNameLength && /[\w:.-]/.test(text[end] ?? '')) end += 1;
  return text.slice(start, end);
}

/** Null if cut off. */
function textAt(text: string, start: number): string | null {
  const end = text.indexOf('<', start);
  if (end === -1) return null;
  if (!text.startsWith('<![CDATA[', end)) return resolveEntities(text.slice(start, end)).trim();
  const sectionEnd = text.indexOf(']]>', end);
  return sectionEnd === -1 ? null : text.slice(end + 9, sectionEnd).trim();
}

function resolveEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (reference: string, entity: string) => {
    if (!entity.startsWith('#')) return entities.get(entity) ?? reference;
    const codePoint = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference;
  });
}
