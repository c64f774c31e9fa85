import type { Footprint } from '../../../preload/contract.ts';
import { unpackFootprints } from '../../../shared/source.ts';
import type { Api } from '../../api.ts';
import { assignedSystems, groupId, type SystemOfFiles, systemOfFiles } from './draft/decisions.ts';
import { type FindingsScope, groupsThatMatter } from './draft/draft.ts';
import type { FilesSeen } from './files-seen.svelte.ts';

/** Places of files if they have a system that someone assigned or considers. */
export interface PlacedAs {
  /** `EPSG:25832` */
  readonly label: string;
  readonly isCandidate: boolean;
  readonly footprints: readonly Footprint[];
}

interface PlaceRequest extends SystemOfFiles, FindingOfAsset {
  readonly isCandidate: boolean;
  /** Requests with the same key have the same answer. */
  readonly key: string;
}

/** A finding's id in its asset; null for all files as one. */
interface FindingOfAsset {
  readonly id: string;
  readonly group: number | null;
}

interface Answer {
  readonly footprints: readonly Footprint[];
  readonly unplaced: number;
}

/** Files without a coordinate system, at the places that assigned systems give them. */
export class AssignedSystemPlaces {
  readonly #api: Api;
  readonly #files: Pick<FilesSeen, 'scopes'>;
  /** Systems that someone compares for the files of a finding. */
  #comparison: (FindingOfAsset & { readonly codes: readonly number[] }) | null = $state.raw(null);
  #answers: ReadonlyMap<string, Answer> = $state.raw(new Map());
  readonly #askedKeys = new Set<string>();
  requests: readonly PlaceRequest[] = $derived.by(() =>
    this.#files.scopes.flatMap((scope) => [
      ...this.#requestsOf(scope, assignedSystems(groupsThatMatter(scope), scope.decisions), false),
      ...this.#requestsOf(scope, systemOfOptions(scope), false),
      ...this.#requestsOf(scope, this.#comparedSystems(scope), true),
    ]),
  );
  placed: readonly PlacedAs[] = $derived.by(() =>
    this.requests.flatMap(({ key, label, isCandidate }) => {
      const { footprints = [] } = this.#answers.get(key) ?? {};
      return footprints.length > 0 ? [{ label, isCandidate, footprints }] : [];
    }),
  );
  placedKeys: ReadonlySet<string> = $derived.by(
    () => new Set(this.placed.flatMap(({ footprints }) => footprints.map(({ key }) => key))),
  );

  constructor(api: Api, files: Pick<FilesSeen, 'scopes'>) {
    this.#api = api;
    this.#files = files;
  }

  /** Asks for the places of all current requests. Without an answer, the map lacks them. */
  async load(): Promise<void> {
    const missingRequests = this.requests.filter(({ key }) => !this.#askedKeys.has(key));
    for (const { key } of missingRequests) this.#askedKeys.add(key);
    await Promise.all(
      missingRequests.map(async ({ key, system, files }) => {
        const answer = await this.#api.call('source.placeAs', { system, files }).catch(() => null);
        if (!answer || !this.#askedKeys.has(key)) return;
        const { footprints, unplaced } = answer;
        this.#answers = new Map([
          ...this.#answers,
          [key, { footprints: unpackFootprints(footprints), unplaced }],
        ]);
      }),
    );
  }

  /** Shows a finding's files in these systems, EPSG codes; none: ends the comparison. */
  compare({ id, group }: FindingOfAsset, codes: readonly number[]): void {
    this.#comparison = codes.length > 0 ? { id, group, codes } : null;
  }

  /** Number of a finding's files that its assigned system doesn't place. */
  unplacedOf(id: string, group: number | null): number {
    const request = this.requests.find(
      (candidate) => candidate.id === id && candidate.group === group && !candidate.isCandidate,
    );
    return request ? (this.#answers.get(request.key)?.unplaced ?? 0) : 0;
  }

  /** Forgets answers about an earlier source. */
  clear(): void {
    this.#comparison = null;
    this.#askedKeys.clear();
    this.#answers = new Map();
  }

  #comparedSystems(scope: FindingsScope): readonly SystemOfFiles[] {
    if (!this.#comparison || this.#comparison.group !== scope.group) return [];
    const { id, codes } = this.#comparison;
    const groups = groupsThatMatter(scope);
    const group = groups.find((finding) => groupId(finding) === id);
    return group ? codes.flatMap((code) => systemOfFiles(group, groups, code)) : [];
  }

  #requestsOf(
    { group, findings }: FindingsScope,
    systems: readonly SystemOfFiles[],
    isCandidate: boolean,
  ): readonly PlaceRequest[] {
    return systems.map((system) => {
      // More files join a finding during the inspection.
      const count = findings.find((finding) => groupId(finding) === system.id)?.count ?? 0;
      return { ...system, group, isCandidate, key: JSON.stringify([system.system, system.files, count]) };
    });
  }
}

/** The system that the options set for point clouds without one. */
function systemOfOptions({ findings, inputCrs }: FindingsScope): readonly SystemOfFiles[] {
  const code = Number(/^EPSG:(\d+)$/i.exec(inputCrs)?.[1]);
  if (Number.isNaN(code)) return [];
  return findings.flatMap((group) =>
    group.id === 'no-system-points' ? systemOfFiles(group, findings, code) : [],
  );
}
