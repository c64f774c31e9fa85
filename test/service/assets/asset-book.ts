import type { AssetType } from '../../../shared/assets.ts';
import type { TilingCourse } from '../model.ts';
import { goodCourse, type TilingView, tilingAt } from './tiling.ts';

/** Asset record, exactly contract 2.1 with the two optional fields of `service-facts`. */
export interface AssetRecord extends TilingView {
  readonly id: number;
  readonly type: AssetType;
  readonly name: string;
  readonly description: string;
  readonly attribution: string;
  readonly bytes: number;
  readonly dateAdded: string;
}

interface Entry {
  readonly fixed: Omit<AssetRecord, keyof TilingView | 'bytes'>;
  /** As they were given at creation. */
  readonly options: Readonly<Record<string, unknown>>;
  bytes: number;
  /** A plain status until tiling begins; then the beginning, in steady ms, and its course. */
  state: { status: string } | { begun: number; course: TilingCourse };
}

interface AssetBookClock {
  now(): number;
  steady(): number;
}

/** The account's assets. */
export class AssetBook {
  readonly #entries = new Map<number, Entry>();
  readonly #tilingMs: number;
  readonly #clock: AssetBookClock;
  #course: TilingCourse = goodCourse;
  #lastId = 20_000;

  constructor(tilingMs: number, clock: AssetBookClock) {
    this.#tilingMs = tilingMs;
    this.#clock = clock;
  }

  /** Puts in a new asset, AWAITING_FILES unless another status is given. */
  add(asset: {
    name: string;
    type: AssetType;
    description?: string;
    options?: Readonly<Record<string, unknown>>;
    status?: string;
  }): AssetRecord {
    this.#lastId += 1;
    const entry: Entry = {
      fixed: {
        id: this.#lastId,
        type: asset.type,
        name: asset.name,
        description: asset.description ?? '',
        attribution: '',
        dateAdded: new Date(this.#clock.now()).toISOString(),
      },
      options: asset.options ?? {},
      bytes: 0,
      state: { status: asset.status ?? 'AWAITING_FILES' },
    };
    this.#entries.set(this.#lastId, entry);
    return this.#view(entry);
  }

  get(id: number): AssetRecord | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#view(entry);
  }

  /** Undefined where there is no such asset. */
  optionsOf(id: number): Readonly<Record<string, unknown>> | undefined {
    return this.#entries.get(id)?.options;
  }

  all(): readonly AssetRecord[] {
    return [...this.#entries.values()].map((entry) => this.#view(entry));
  }

  /** Begins tiling (contract 3.2). False, and nothing happens, unless the asset awaits files. */
  beginTiling(id: number, bytes: number): boolean {
    const entry = this.#entries.get(id);
    if (!entry || !('status' in entry.state) || entry.state.status !== 'AWAITING_FILES') return false;
    entry.bytes = bytes;
    entry.state = { begun: this.#clock.steady(), course: this.#course };
    return true;
  }

  setTiling(course: TilingCourse): void {
    this.#course = course;
  }

  #view(entry: Entry): AssetRecord {
    const { id, type, name, description, attribution, dateAdded } = entry.fixed;
    const tiling =
      'status' in entry.state
        ? { status: entry.state.status, percentComplete: entry.state.status === 'COMPLETE' ? 100 : 0 }
        : tilingAt(entry.state.course, this.#clock.steady() - entry.state.begun, this.#tilingMs);
    return { id, type, name, description, attribution, bytes: entry.bytes, dateAdded, ...tiling };
  }
}
