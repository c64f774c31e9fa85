import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { requireLibrary } from '../../../scripts/package/builder-library.mjs';

const resedit: typeof import('resedit') = requireLibrary('resedit');

/** RT_MANIFEST of Windows. */
const manifestType = 24;

const integritySchema = z.array(z.object({ file: z.string(), alg: z.string(), value: z.string() }));

/** An executable's properties for Explorer, the loader and Electron. */
interface Executable {
  /** The version resource by name: `ProductName` and so on. */
  readonly strings: Readonly<Record<string, string>>;
  /** Sides of the pictures in each icon group, pixels. */
  readonly icons: readonly (readonly number[])[];
  readonly manifest: string;
  /** Archive hashes that Electron checks, by path relative to the executable. */
  readonly integrity: ReadonlyMap<string, { readonly alg: string; readonly value: string }>;
}

export function readExecutable(file: string): Executable {
  const { entries } = resedit.NtExecutableResource.from(resedit.NtExecutable.from(readFileSync(file)));
  const [version] = resedit.Resource.VersionInfo.fromEntries(entries);
  const [language] = version?.getAllLanguagesForStringValues() ?? [];
  const text = (resource: { readonly bin: ArrayBuffer } | undefined) =>
    new TextDecoder().decode(resource?.bin ?? new ArrayBuffer(0));
  const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
  return {
    strings: { ...(language && version?.getStringValues(language)) },
    icons: resedit.Resource.IconGroupEntry.fromEntries(entries).map(({ icons }) =>
      // One byte each: 256 is written as 0.
      icons.map(({ width }) => width || 256),
    ),
    manifest: text(entries.find(({ type }) => type === manifestType)),
    integrity: new Map(
      integritySchema
        .parse(JSON.parse(text(integrity) || '[]'))
        .map(({ file: path, ...integrity }) => [path, integrity]),
    ),
  };
}
