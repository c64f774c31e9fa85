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
import type { LookPlan } from '../headers/choose.ts';
import { type Look, looksInside } from '../headers/look-inside.ts';
import { AssetSoFar } from './asset-so-far.ts';

/** The assets whose files a survey looks into. */
export interface SurveyedAssets {
  /** How many of the files, which are in the order of the assets, are in each. */
  readonly lengths: readonly number[];
  /** Of the files of each; fed by the survey. */
  readonly findings: readonly Findings[];
}

/**
 * What was seen of a source: fed with one look after the other, of which it keeps counts, examples, and the
 * outlines of the first few thousand; the counts also of each asset, where there are several.
 */
export class SeenSoFar {
  readonly #plan: LookPlan;
  readonly #outline: (look: Look) => readonly LonLat[] | null;
  readonly #whole: AssetSoFar;
  readonly #assets: readonly AssetSoFar[];
  readonly #assetAt: (place: number) => number;
  readonly #extent = new ExtentSoFar();
  readonly #density = new DensitySoFar();
  /** Those that nobody has taken yet. */
  #footprints: Footprint[] = [];
  #looked = 0;
  #placed = 0;

  /** `outline`: where a file lies; null where that can't be told. `assets`: default: the whole is one. */
  constructor(
    plan: LookPlan,
    findings: Findings,
    outline: (look: Look) => readonly LonLat[] | null,
    assets: SurveyedAssets = { lengths: [], findings: [] },
  ) {
    this.#plan = plan;
    this.#outline = outline;
    this.#whole = new AssetSoFar(findings, plan.isMain);
    this.#assets = assets.findings.map((own, at) => new AssetSoFar(own, plan.isMainOf[at] ?? plan.isMain));
    this.#assetAt = assetAt(assets.lengths);
  }

  /** Also takes what was seen in the files of an archive. `place`: of the file among all. */
  take(look: Look, place = 0): void {
    this.#looked++;
    this.#whole.take(look);
    const asset = this.#assets[this.#assetAt(place)];
    asset?.take(look);
    for (const one of [look, ...looksInside(look)]) this.#place(one, asset ?? this.#whole);
  }

  #place(look: Look, asset: AssetSoFar): void {
    if (look.onlyInCloud) return;
    // Where a texture was photographed is no place of the data.
    const isTexture = !asset.isData(look) && look.head?.kind === 'jpeg' && look.head.hasPosition;
    const ring = isTexture ? null : this.#outline(look);
    if (!ring) return;
    this.#placed++;
    this.#extent.take(ring);
    this.#density.take(middleOf(ring));
    if (this.#placed <= maxFootprints) this.#footprints.push({ key: look.key, ring });
    else this.#footprints = [];
  }

  seen(state: Seen['state']): Seen {
    const { systems, degrees, findings } = this.#whole.seen();
    return {
      state,
      looked: this.#looked,
      total: this.#plan.order.length,
      ...{ systems, degrees, findings },
      extent: this.#extent.extent,
      placed: this.#placed,
    };
  }

  /** What was seen of each asset in which something was since the last call. */
  takeAssets(): readonly AssetSeen[] {
    return this.#assets.flatMap((asset, group) => (asset.hasNews ? [{ group, ...asset.seen() }] : []));
  }

  /** Footprints since the last call; none where there are so many that their density says more. */
  takeFootprints(): readonly Footprint[] {
    const taken = this.#footprints;
    this.#footprints = [];
    return taken;
  }

  /** Null where each file has its own footprint. */
  get density(): Density | null {
    return this.#placed > maxFootprints ? this.#density.density : null;
  }
}
