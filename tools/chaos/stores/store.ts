import type { EmbeddedService, ServiceSettings } from '../../../test/service/model.ts';
import type { JobLine } from '../engine.ts';
import type { FaultReach } from '../incidents.ts';

/** A stored object. */
export interface ChaosObject {
  readonly key: string;
  readonly size: number;
  /** Hex, of the stored bytes. */
  readonly sha256: string;
  /** Storage's actual comparisons of each part, or of the whole; null without a record. */
  readonly comparedProofs: readonly { readonly md5: boolean; readonly crc32: boolean }[] | null;
}

/** The storage behind the service during a chaos run. */
export interface ChaosStore {
  readonly name: string;
  readonly settings: Partial<ServiceSettings>;
  readonly faultReach: FaultReach;
  /** If false, a recorded CRC32 comparison is always false. */
  readonly mayCompareCrc32: boolean;
  begin(service: EmbeddedService): void;
  meet(line: JobLine): void;
  objects(prefix: string): Promise<readonly ChaosObject[]>;
  remove(prefix: string): Promise<void>;
  close(): void;
}
