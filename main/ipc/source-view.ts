import { basename, extname } from 'node:path';
import type { ForecastView, SourceView } from '../../preload/contract.ts';
import { suggestKind } from '../upload/kind-of-data.ts';
import type { Scan } from '../upload/model.ts';

const shownIgnoredNames = 5;

/** What the New asset sheet says of a scanned source. */
export function sourceView(paths: readonly string[], scan: Scan, forecast: ForecastView | null): SourceView {
  const counts = new Map<string, number>();
  for (const file of scan.files) {
    const extension = extname(file.key).toLowerCase();
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const extensions = [...counts].map(([extension, count]) => ({ extension, count }));
  return {
    paths,
    suggestedName: suggestName(paths),
    fileCount: scan.files.length,
    bytes: scan.bytes,
    extensions: extensions.sort((a, b) => b.count - a.count),
    ignoredCount: scan.ignored.length,
    ignoredNames: scan.ignored.slice(0, shownIgnoredNames).map((path) => basename(path)),
    suggestion: suggestKind(scan) ?? null,
    forecast,
  };
}

/** The folder's or file's name as a person would say it: `LoD2_Altstadt.zip` becomes "LoD2 Altstadt". */
function suggestName(paths: readonly string[]): string {
  const first = paths[0] ?? '';
  const name = basename(first, extname(first)) || basename(first);
  return name.replaceAll('_', ' ').trim();
}
