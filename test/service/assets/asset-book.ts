import type { SeedAsset, TilingCourse } from '../model.ts';
import { goodCourse, type TilingView, tilingAt } from './tiling.ts';

/** Asset record: contract 2.1, the two optional fields of `service-facts`, and all other given fields. */
export interface AssetRecord extends TilingView {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly attribution: string;
  readonly bytes: number;
  readonly dateAdded: string;
}

interface Entry {
  readonly owner: string;
  fields: Omit<AssetRecord, keyof TilingView>;
  /** Options of the creation request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A fixed state, or start (steady ms) and course of tiling. */
  state: TilingView | { readonly begun: number; readonly course: TilingCourse };
}

/** In each account of the service: docs/service-facts.md. Seeded only beyond the contract. */
export const worldTerrainId = 1;

interface AssetBookClock {
  now(): number;
  steady(): number;
}

/** The assets of one account. */
export type AccountAssets = Pick<AssetBook, 'add' | 'get' | 'all' | 'beginTiling' | 'change' | 'remove'>;

/**
 * The assets of all accounts. Calls without an owner apply to any asset; new ones go to the first account.
 */
export class AssetBook {
  readonly #entries = new Map<number, Entry>();
  readonly #tilingMs: number;
  readonly #clock: AssetBookClock;
  readonly #firstAccount: string;
  #course: TilingCourse = goodCourse;
  #lastId = 20_000;
  #isWorldTerrain = false;

  constructor(tilingMs: number, clock: AssetBookClock, firstAccount = '') {
    this.#firstAccount = firstAccount;
    this.#tilingMs = tilingMs;
    this.#clock = clock;
  }

  of(owner: string): AccountAssets {
    const isOwn = (id: number) =>
      this.#entries.get(id)?.owner === owner || (id === worldTerrainId && this.#isWorldTerrain);
    return {
      add: (asset) => this.add(asset, owner),
      get: (id) => (isOwn(id) ? this.get(id) : undefined),
      all: () => this.all().filter(({ id }) => isOwn(id)),
      beginTiling: (id, bytes) => isOwn(id) && this.beginTiling(id, bytes),
      change: (id, fields) => {
        if (isOwn(id)) this.change(id, fields);
      },
      remove: (id) => {
        if (isOwn(id)) this.remove(id);
      },
    };
  }

  /** Adds an asset, by default AWAITING_FILES. Throws an error if the id exists. */
  add(asset: SeedAsset, owner = this.#firstAccount): AssetRecord {
    const { id = this.#nextId(), options = {}, status = 'AWAITING_FILES', ...fields } = asset;
    if (this.#entries.has(id)) throw new Error(`There is an asset ${id} already.`);
    const entry: Entry = {
      owner,
      fields: {
        id,
        type: asset.type,
        name: asset.name,
        description: '',
        attribution: '',
        bytes: 0,
        dateAdded: new Date(this.#clock.now()).toISOString(),
      },
      options,
      state: { status, percentComplete: status === 'COMPLETE' ? 100 : 0 },
    };
    this.#entries.set(id, entry);
    return this.#change(entry, fields);
  }

  /** Adds an asset that all accounts see. */
  addWorldTerrain(): void {
    this.#isWorldTerrain = true;
    const name = 'World Terrain';
    this.add({ id: worldTerrainId, name, type: 'TERRAIN', status: 'COMPLETE' });
  }

  /** Throws an error for an unknown asset. */
  change(id: number, fields: Readonly<Record<string, unknown>>): void {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`There is no asset ${id}.`);
    this.#change(entry, fields);
  }

  remove(id: number): void {
    this.#entries.delete(id);
  }

  get(id: number): AssetRecord | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#view(entry);
  }

  ownerOf(id: number): string | undefined {
    return this.#entries.get(id)?.owner;
  }

  optionsOf(id: number): Readonly<Record<string, unknown>> | undefined {
    return this.#entries.get(id)?.options;
  }

  all(): readonly AssetRecord[] {
    return [...this.#entries.values()].map((entry) => this.#view(entry));
  }

  /** Begins tiling (contract 3.2). Returns false unless the asset awaits files. */
  beginTiling(id: number, bytes: number): boolean {
    const entry = this.#entries.get(id);
    if (!entry || !('status' in entry.state) || entry.state.status !== 'AWAITING_FILES') return false;
    entry.fields = { ...entry.fields, bytes };
    entry.state = { begun: this.#clock.steady(), course: this.#course };
    return true;
  }

  setTiling(course: TilingCourse): void {
    this.#course = course;
  }

  #nextId(): number {
    do this.#lastId += 1;
    while (this.#entries.has(this.#lastId));
    return this.#lastId;
  }

  #change(entry: Entry, fields: Readonly<Record<string, unknown>>): AssetRecord {
    const { status, percentComplete, error, progressMessage, ...changed }: AssetRecord = {
      ...this.#view(entry),
      ...fields,
    };
    entry.fields = changed;
    if (tilingFields.some((name) => Object.hasOwn(fields, name)))
      entry.state = {
        status,
        percentComplete,
        ...(error === undefined ? {} : { error }),
        ...(progressMessage === undefined ? {} : { progressMessage }),
      };
    return this.#view(entry);
  }

  #view({ fields, state }: Entry): AssetRecord {
    const tiling =
      'status' in state
        ? state
        : tilingAt(state.course, this.#clock.steady() - state.begun, state.course.ms ?? this.#tilingMs);
    return { ...fields, ...tiling };
  }
}

const tilingFields = ['status', 'percentComplete', 'error', 'progressMessage'] as const;
