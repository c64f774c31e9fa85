/** Options that have a field of their own in the request: named twice, they could contradict each other. */
const ownFields = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** Whether a text is a JSON object that names none of the options with a field of their own. */
export function isFurtherOptions(text: string): boolean {
  return parse(text) !== null;
}

/** The options of a checked text. */
export function furtherOptions(text: string): Readonly<Record<string, unknown>> {
  return parse(text) ?? {};
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    if (ownFields.some((name) => Object.hasOwn(value, name))) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
