import { createHash } from 'node:crypto';

/** What one version of a source holds, by key: what its asset must hold to the byte. */
export type Manifest = ReadonlyMap<string, { readonly size: number; readonly sha256: string }>;

/** A source as its writer knows it. */
export interface Expected {
  /** The asset's name. */
  readonly name: string;
  /** One for each time that the writer had finished. */
  readonly versions: Manifest[];
}

/** A file that landings come with, and that their rule leaves out or not: it is edited while they come. */
export const logOfFlight = 'flight.log';

export function manifestOf(files: ReadonlyMap<string, Uint8Array>): Manifest {
  return new Map(
    [...files].map(([key, bytes]) => [
      key,
      { size: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  );
}
