import type { EmbeddedService, ServiceSettings } from '../../../test/service/model.ts';
import type { JobLine } from '../engine.ts';
import type { FaultReach } from '../incidents.ts';

/** An object as it is in storage. */
export interface ChaosObject {
  readonly key: string;
  readonly size: number;
  /** Hex, of the bytes as they are there now. */
  readonly sha256: string;
  /** Of each part, or of the whole, what storage truly compared; null where there is no record of it. */
  readonly compared: readonly { readonly md5: boolean; readonly crc32: boolean }[] | null;
}

/** The storage behind the service while chaos reigns. */
export interface ChaosStore {
  readonly name: string;
  readonly settings: Partial<ServiceSettings>;
  readonly reach: FaultReach;
  /** False where it never compares a CRC32: whoever says that it has says what is not so. */
  readonly mayCompareCrc32: boolean;
  /** Called once the service is there. */
  begin(service: EmbeddedService): void;
  /** Called with whatever is heard of a job. */
  meet(line: JobLine): void;
  objects(prefix: string): Promise<readonly ChaosObject[]>;
  remove(prefix: string): Promise<void>;
  close(): void;
}
