import type { Control, EmbeddedService, ServiceSettings } from '../../../test/service/model.ts';
import type { JobLine } from '../engine.ts';
import type { FaultReach } from '../incidents.ts';
import type { Chance } from '../random.ts';
import type { ChaosObject, ChaosStore } from './store.ts';

export const storeNames = ['verifies', 'ignores', 'changing'] as const;
export type StoreName = (typeof storeNames)[number];

type ChecksumMode = ServiceSettings['checksums'];

/** Share of the job's bytes at which it applies. */
interface Change {
  readonly uploadedShare: number;
  readonly mode: ChecksumMode;
}

/** The embedded storage, which records its comparisons. */
export class EmbeddedStore implements ChaosStore {
  readonly name: StoreName;
  readonly faultReach: FaultReach;
  readonly mayCompareCrc32 = true;
  readonly #chance: Chance;
  readonly #changes = new Map<string, Change[]>();
  #control: Control | null = null;

  constructor(name: StoreName, chance: Chance, faultReach: FaultReach = 'service and storage') {
    this.name = name;
    this.faultReach = faultReach;
    this.#chance = chance;
  }

  get settings(): Partial<ServiceSettings> {
    return { checksums: this.name === 'ignores' ? 'ignore' : 'verify' };
  }

  begin({ control }: EmbeddedService): void {
    this.#control = control;
  }

  /** A changing store compares first, and changes its behaviour twice during an upload. */
  meet({ name, status, bytesDone, bytesTotal }: JobLine): void {
    if (this.name !== 'changing' || (status !== 'creating' && status !== 'uploading')) return;
    let changes = this.#changes.get(name);
    if (!changes) {
      changes = this.#plan();
      this.#changes.set(name, changes);
    }
    const uploadedShare = status === 'creating' ? 0 : bytesDone / Math.max(1, bytesTotal ?? 0);
    while (changes[0] && changes[0].uploadedShare <= uploadedShare) {
      this.#control?.seed({ checksums: changes[0].mode });
      changes.shift();
    }
  }

  async objects(prefix: string): Promise<readonly ChaosObject[]> {
    const comparedParts = new Map(
      this.#startedControl.compared(prefix).map(({ key, parts }) => [key, parts]),
    );
    const objects = await this.#startedControl.objects(prefix);
    return objects.map((object) => ({ ...object, comparedProofs: comparedParts.get(object.key) ?? [] }));
  }

  remove(prefix: string) {
    return this.#startedControl.removeObjects(prefix);
  }

  close(): void {}

  #plan(): Change[] {
    const chance = this.#chance;
    const modes: readonly ChecksumMode[] = ['verify', 'ignore', 'refuse'];
    return [
      { uploadedShare: 0, mode: 'verify' },
      { uploadedShare: 0.05 + 0.4 * chance.next(), mode: chance.pick(['ignore', 'refuse']) },
      { uploadedShare: 0.5 + 0.4 * chance.next(), mode: chance.pick(modes) },
    ];
  }

  get #startedControl(): Control {
    if (!this.#control) throw new Error('the service is not there yet');
    return this.#control;
  }
}
