/** Further options as a person types them: a JSON object, checked while it is written. */

export type FurtherOptions =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  /** With the line that it is about, where there is one. */
  | { readonly ok: false; readonly problem: string };

/** What the sheet has other fields for, and what they are called there. */
const fieldsOfTheSheet: Readonly<Record<string, string>> = {
  sourceType: 'Source type',
  clampToTerrain: 'Put buildings on the ground',
  baseTerrainId: 'Put buildings on the ground',
  inputCrs: 'Coordinate system',
  textureFormat: 'Textures',
  instancing: 'Repeat equal parts',
  position: 'Position',
};
const alwaysInTheForm = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** @param inForm options that the form shows now; empty text is no options */
export function readFurtherOptions(text: string, inForm: readonly string[]): FurtherOptions {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: sayWhere(text, error instanceof Error ? error.message : '') };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'Write an object: { "name": value }.' };
  }
  const twice = firstRepeated(text);
  if (twice) return { ok: false, problem: `Line ${twice.line}: “${twice.name}” is there twice.` };
  for (const name of Object.keys(value)) {
    if (!alwaysInTheForm.includes(name) && !inForm.includes(name)) continue;
    const line = lineAt(text, text.indexOf(JSON.stringify(name)));
    const field = fieldsOfTheSheet[name] ?? name;
    return { ok: false, problem: `Line ${line}: “${name}” has a field of its own, “${field}”.` };
  }
  return { ok: true, value: value as Readonly<Record<string, unknown>> };
}

/** The engine's own words, with the line in front: `Line 3: expected ',' or '}' after property value`. */
function sayWhere(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  const words = message.replace(/,? (?:in JSON )?at position \d+.*$/s, '').replace(/, ".*$/s, '');
  const atEnd = position === undefined || Number(position) >= text.trimEnd().length;
  if (atEnd) return `Line ${lineAt(text, text.trimEnd().length)}: something is missing at the end.`;
  const said = words === '' ? 'this is no JSON' : words.charAt(0).toLowerCase() + words.slice(1);
  return `Line ${lineAt(text, Number(position))}: ${said}.`;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, Math.max(0, position)).split('\n').length;
}

/** JSON lets the last of two win without a word. Looks at the outermost object of a valid text. */
function firstRepeated(text: string): { readonly name: string; readonly line: number } | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const [found, colon] = token;
    if (found === '{' || found === '[') depth += 1;
    else if (found === '}' || found === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined) {
      const name: unknown = JSON.parse(found.slice(0, found.length - colon.length));
      if (typeof name !== 'string') continue;
      if (seen.has(name)) return { name, line: lineAt(text, token.index) };
      seen.add(name);
    }
  }
  return null;
}
