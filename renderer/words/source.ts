/** What was found in a dropped source, in words. */

import type { SourceView } from '../../preload/contract.ts';
import { formatBytes } from '../format/bytes.ts';
import { formatCount, formatCounted } from '../format/number.ts';

/** The last piece of a path of any system: `C:\data\LoD2` → `LoD2`. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

/** `LoD2_Altstadt · 36 files · 2.1 GB · 2 ignored (Thumbs.db)`. */
export function describeFound(source: SourceView): string {
  const [first] = source.paths;
  const where =
    source.paths.length === 1 && first !== undefined
      ? baseName(first)
      : `${formatCount(source.paths.length)} dropped entries`;
  const parts = [where, formatCounted(source.fileCount, 'file'), formatBytes(source.bytes)];
  if (source.ignoredCount > 0)
    parts.push(`${formatCount(source.ignoredCount)} ignored${ignoredNames(source)}`);
  return parts.join(' · ');
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
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function withDot(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}
