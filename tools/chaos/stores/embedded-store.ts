import type { Control, EmbeddedService, ServiceSettings } from '../../../test/service/model.ts';
import type { JobLine } from '../engine.ts';
import type { FaultReach } from '../incidents.ts';
import type { Chance } from '../random.ts';
import type { ChaosObject, ChaosStore } from './store.ts';

export const storeNames = ['verifies', 'ignores', 'changing'] as const;
export type StoreName = (typeof storeNames)[number];

type Mode = ServiceSettings['checksums'];

/** Share of the job's bytes at which it applies. */
interface Change {
  readonly share: number;
  readonly mode: Mode;
}

/** The embedded storage, which records its comparisons. */
export class EmbeddedStore implements ChaosStore {
  readonly name: StoreName;
  readonly reach: FaultReach;
  readonly mayCompareCrc32 = true;
  readonly #chance: Chance;
  readonly #changes = new Map<string, Change[]>();
  #control: Control | null = null;

  constructor(name: StoreName, chance: Chance, reach: FaultReach = 'service and storage') {
    this.name = name;
    this.reach = reach;
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
    const share = status === 'creating' ? 0 : bytesDone / Math.max(1, bytesTotal ?? 0);
    while (changes[0] && changes[0].share <= share) {
      this.#control?.seed({ checksums: changes[0].mode });
      changes.shift();
    }
  }

  async objects(prefix: string): Promise<readonly ChaosObject[]> {
    const compared = new Map(this.#known.compared(prefix).map(({ key, parts }) => [key, parts]));
    const objects = await this.#known.objects(prefix);
    return objects.map((object) => ({ ...object, compared: compared.get(object.key) ?? [] }));
  }

  remove(prefix: string) {
    return this.#known.removeObjects(prefix);
  }

  close(): void {}

  #plan(): Change[] {
    const chance = this.#chance;
    const modes: readonly Mode[] = ['verify', 'ignore', 'refuse'];
    return [
      { share: 0, mode: 'verify' },
      { share: 0.05 + 0.4 * chance.next(), mode: chance.pick(['ignore', 'refuse']) },
      { share: 0.5 + 0.4 * chance.next(), mode: chance.pick(modes) },
    ];
  }

  get #known(): Control {
    if (!this.#control) throw new Error('the service is not there yet');
    return this.#control;
  }
}
