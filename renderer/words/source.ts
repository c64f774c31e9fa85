import type { SeparateSourceView, SourceView } from '../../preload/contract.ts';
import { formatBytes, formatCount, formatFacts, formatList, formatNames, say } from '../say.ts';
import { kindWithin } from './kinds.ts';

/** Last segment of a path of any system: `C:\data\LoD2` → `LoD2`. */
export function baseName(path: string): string {
  return (
    path
      .replace(/(?<![\\/])[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

/** `LoD2_Altstadt · 36 files · 2.1 GB`. */
export function describeFound(source: SourceView): string {
  const addedNames = new Set(source.taken);
  const [firstPath, ...otherPaths] = source.paths.filter((path) => !addedNames.has(baseName(path)));
  const position =
    otherPaths.length === 0 && firstPath !== undefined
      ? baseName(firstPath)
      : say('newAsset.dropped', { count: otherPaths.length + 1 });
  return formatFacts([position, say('units.files', { count: source.fileCount }), formatBytes(source.bytes)]);
}

/** True if parts of the source won't be uploaded. */
export function leavesOut(source: SourceView): boolean {
  const { ignoredCount, linkCount, emptyFolderCount, notUtf8 } = source;
  return ignoredCount + linkCount + emptyFolderCount + (notUtf8?.count ?? 0) > 0;
}

/** `2 ignored (Thumbs.db), 1 link not followed, 1 empty folder`. */
export function describeLeftOut(source: SourceView): string {
  const { ignoredCount, linkCount, emptyFolderCount, notUtf8 } = source;
  return formatNames([
    ...(notUtf8 ? [say('newAsset.leftOut.notUtf8', { count: notUtf8.count })] : []),
    ...(ignoredCount > 0 ? [describeIgnored(source)] : []),
    ...(linkCount > 0 ? [say('newAsset.leftOut.links', { count: linkCount })] : []),
    ...(emptyFolderCount > 0 ? [say('units.emptyFolders', { count: emptyFolderCount })] : []),
  ]);
}

/** `Gel\xE4nde.tif, Stra\xDFe and 4 more`. */
export function describeNotUtf8({ count, names }: NonNullable<SourceView['notUtf8']>): string {
  const listedNames = names.slice(0, 3);
  const nameList = formatNames(listedNames);
  return count > listedNames.length
    ? say('newAsset.out.andMore', { names: nameList, count: count - listedNames.length })
    : nameList;
}

/** `3 CityGML assets and 1 point cloud asset`. */
export function describeSeparate(separateAssets: readonly SeparateSourceView[]): string {
  const counts = new Map<string, number>();
  for (const { suggestion } of separateAssets) {
    const kind = suggestion ? kindWithin(suggestion.sourceType) : say('newAsset.split.unknownKind');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return formatList([...counts].map(([kind, count]) => say('newAsset.split.kinds', { count, kind })));
}

function describeIgnored({ ignoredCount: count, ignoredNames }: SourceView): string {
  const names = [...new Set(ignoredNames.map(baseName))];
  if (names.length === 0) return say('newAsset.leftOut.ignored', { count });
  const listedNames = names.slice(0, 2);
  const isCut = names.length > listedNames.length || count > ignoredNames.length;
  return say(isCut ? 'newAsset.leftOut.ignoredAmong' : 'newAsset.leftOut.ignoredNamed', {
    count,
    names: formatNames(listedNames),
  });
}

/** `34 .gml, 2 .jpg and 5 other kinds`. */
export function describeExtensions(extensions: SourceView['extensions'], limit = 4): string {
  const listedExtensions = extensions
    .slice(0, limit)
    .map(({ extension, count }) =>
      extension === ''
        ? say('newAsset.extensions.none', { count })
        : `${formatCount(count)} ${withDot(extension)}`,
    );
  const hiddenCount = extensions.length - listedExtensions.length;
  if (hiddenCount > 0) listedExtensions.push(say('newAsset.extensions.others', { count: hiddenCount }));
  return formatList(listedExtensions);
}

function withDot(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}
