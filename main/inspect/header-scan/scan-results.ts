import {
  type AssetSeen,
  type Density,
  type Footprint,
  type LonLat,
  maxFootprints,
  type Seen,
} from '../../../shared/source.ts';
import { DensitySoFar, ExtentSoFar, middleOf } from '../crs/density.ts';
import type { Findings } from '../findings/create-findings.ts';
import { assetAt } from '../grouping/asset-files.ts';
import type { InspectionPlan } from '../headers/choose.ts';
import { inspectedMembers, type Look } from '../headers/look-inside.ts';
import { AssetSoFar } from './asset-results.ts';

export interface SurveyedAssets {
  /** Number of files per asset, in the order of the files. */
  readonly lengths: readonly number[];
  /** Per asset; the survey adds to them. */
  readonly findings: readonly Findings[];
}

/** Accumulates results: counts, examples and the first few thousand outlines, in total and per asset. */
export class SeenSoFar {
  readonly #plan: InspectionPlan;
  readonly #outline: (look: Look) => readonly LonLat[] | null;
  readonly #whole: AssetSoFar;
  readonly #assets: readonly AssetSoFar[];
  readonly #assetAt: (place: number) => number;
  readonly #extent = new ExtentSoFar();
  readonly #density = new DensitySoFar();
  /** Not yet fetched. */
  #footprints: Footprint[] = [];
  #scannedCount = 0;
  #placed = 0;

  /** `outline`: null if a file's position is unknown. `assets`: default: one. */
  constructor(
    plan: InspectionPlan,
    findings: Findings,
    outline: (look: Look) => readonly LonLat[] | null,
    assets: SurveyedAssets = { lengths: [], findings: [] },
  ) {
    this.#plan = plan;
    this.#outline = outline;
    this.#whole = new AssetSoFar(findings, plan.isMain);
    this.#assets = assets.findings.map(
      (assetFindings, assetIndex) => new AssetSoFar(assetFindings, plan.isMainOf[assetIndex] ?? plan.isMain),
    );
    this.#assetAt = assetAt(assets.lengths);
  }

  /** Adds a file and, for archives, its members. `place`: index of the file. */
  take(look: Look, place = 0): void {
    this.#scannedCount++;
    this.#whole.take(look);
    const asset = this.#assets[this.#assetAt(place)];
    asset?.take(look);
    for (const fileOrMember of [look, ...inspectedMembers(look)])
      this.#place(fileOrMember, asset ?? this.#whole);
  }

  #place(look: Look, asset: AssetSoFar): void {
    if (look.onlyInCloud) return;
    // A texture's GPS position isn't the data's position.
    const isTexture = !asset.isData(look) && look.head?.kind === 'jpeg' && look.head.hasPosition;
    const ring = isTexture ? null : this.#outline(look);
    if (!ring) return;
    this.#placed++;
    this.#extent.add(ring);
    this.#density.add(middleOf(ring));
    if (this.#placed <= maxFootprints) this.#footprints.push({ key: look.key, ring });
    else this.#footprints = [];
  }

  results(state: Seen['state']): Seen {
    const { systems, degrees, findings } = this.#whole.results();
    return {
      state,
      looked: this.#scannedCount,
      total: this.#plan.order.length,
      ...{ systems, degrees, findings },
      extent: this.#extent.extent,
      placed: this.#placed,
    };
  }

  /** Returns the assets with new results since the last call. */
  takeAssets(): readonly AssetSeen[] {
    return this.#assets.flatMap((asset, group) => (asset.hasNews ? [{ group, ...asset.results() }] : []));
  }

  /** Returns the footprints since the last call; none once a density replaces them. */
  takeFootprints(): readonly Footprint[] {
    const footprints = this.#footprints;
    this.#footprints = [];
    return footprints;
  }

  /** Null while each file has its own footprint. */
  get density(): Density | null {
    return this.#placed > maxFootprints ? this.#density.density : null;
  }
}
