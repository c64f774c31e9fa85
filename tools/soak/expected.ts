import { createHash } from 'node:crypto';

/** Files of a source's version, by key; its asset must match them exactly. */
export type Manifest = ReadonlyMap<string, { readonly size: number; readonly sha256: string }>;

/** A source and its finished versions. */
export interface ExpectedSource {
  readonly name: string;
  readonly versions: Manifest[];
}

/** A file in landings; their rule's ignore lines for it change during the run. */
export const logOfFlight = 'flight.log';

export function manifestOf(files: ReadonlyMap<string, Uint8Array>): Manifest {
  return new Map(
    [...files].map(([key, bytes]) => [
      key,
      { size: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  );
}
