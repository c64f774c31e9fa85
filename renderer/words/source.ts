/** What was found in a dropped source, in words. */

import type { SourcePartView, SourceView } from '../../preload/contract.ts';
import { formatBytes } from '../../strings/format/bytes.ts';
import { formatCount, formatCounted } from '../../strings/format/number.ts';

/** The last piece of a path of any system: `C:\data\LoD2` → `LoD2`. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

/** `LoD2_Altstadt · 36 files · 2.1 GB`. */
export function describeFound(source: SourceView): string {
  const [first] = source.paths;
  const where =
    source.paths.length === 1 && first !== undefined
      ? baseName(first)
      : `${formatCount(source.paths.length)} dropped entries`;
  return [where, formatCounted(source.fileCount, 'file'), formatBytes(source.bytes)].join(' · ');
}

/** There is something in it that won't be uploaded. */
export function leavesOut(source: SourceView): boolean {
  return source.ignoredCount + source.emptyFolderCount > 0;
}

/** `2 ignored (Thumbs.db), 1 empty folder`. */
export function describeLeftOut(source: SourceView): string {
  const { ignoredCount, emptyFolderCount } = source;
  return [
    ...(ignoredCount > 0 ? [`${formatCount(ignoredCount)} ignored${ignoredNames(source)}`] : []),
    ...(emptyFolderCount > 0 ? [formatCounted(emptyFolderCount, 'empty folder')] : []),
  ].join(', ');
}

/** `36 files · 2.1 GB · 34 .gml files, EPSG:25832`. */
export function describePart({ fileCount, bytes, suggestion }: SourcePartView): string {
  const found = [formatCounted(fileCount, 'file'), formatBytes(bytes)];
  return (suggestion ? [...found, suggestion.reason] : found).join(' · ');
}

/** `3 × CityGML 2.0 and 1 × Point cloud`. */
export function describeParts(parts: readonly SourcePartView[]): string {
  const counts = new Map<string, number>();
  for (const { suggestion } of parts) {
    const kind = suggestion?.kind ?? 'of unknown kind';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return listed([...counts].map(([kind, count]) => `${formatCount(count)} × ${kind}`));
}

function ignoredNames(source: SourceView): string {
  const names = [...new Set(source.ignoredNames.map(baseName))];
  if (names.length === 0) return '';
  const shown = names.slice(0, 2);
  const more = names.length > shown.length || source.ignoredCount > source.ignoredNames.length;
  return ` (${shown.join(', ')}${more ? '…' : ''})`;
}

/** `34 .gml, 2 .jpg and 5 other kinds`. */
export function describeExtensions(extensions: SourceView['extensions'], limit = 4): string {
  const shown = extensions
    .slice(0, limit)
    .map(
      ({ extension, count }) =>
        `${formatCount(count)} ${extension === '' ? 'without ending' : withDot(extension)}`,
    );
  const more = extensions.length - shown.length;
  if (more > 0) shown.push(`${formatCount(more)} other ${more === 1 ? 'kind' : 'kinds'}`);
  return listed(shown);
}

/** `a, b and c`. */
function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function withDot(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}
