import type { Degree } from '../../../shared/degrees.ts';
import {
  type Density,
  type Footprint,
  joinSystems,
  type LonLat,
  maxFootprints,
  type Seen,
  unnamedSystem,
} from '../../../shared/source.ts';
import { DensitySoFar, ExtentSoFar, middleOf } from '../crs/density.ts';
import type { Findings } from '../findings/create-findings.ts';
import { extensionOf, type LookPlan } from '../headers/choose.ts';
import { type Look, looksInside } from '../headers/look-inside.ts';
import { asBeside } from '../headers/read-head.ts';

/** More systems than these in one source are told as their count alone. */
const maxSystems = 50;
/** Of each degree. */
const maxExamples = 3;

/**
 * What was seen of a source: fed with one look after the other, of which it keeps counts, examples, and the
 * outlines of the first few thousand.
 */
export class SeenSoFar {
  readonly #plan: LookPlan;
  readonly #outline: (look: Look) => readonly LonLat[] | null;
  readonly #findings: Findings;
  readonly #systems = new Map<string, number>();
  readonly #extent = new ExtentSoFar();
  readonly #density = new DensitySoFar();
  /** Those that nobody has taken yet. */
  #footprints: Footprint[] = [];
  #looked = 0;
  #placed = 0;
  readonly #degrees = new Map<Degree, { count: number; readonly examples: string[] }>();

  /** `outline`: where a file lies; null where that can't be told. */
  constructor(plan: LookPlan, findings: Findings, outline: (look: Look) => readonly LonLat[] | null) {
    this.#plan = plan;
    this.#findings = findings;
    this.#outline = outline;
  }

  /** Also takes what was seen in the files of an archive. */
  take(look: Look): void {
    this.#looked++;
    this.#add(look);
    for (const member of looksInside(look)) this.#add(member);
    const { count, examples } = look.members?.unread ?? { count: 0, examples: [] };
    if (count > 0) this.#count('names-only', count, examples);
  }

  #add(look: Look): void {
    this.#countDegree(look);
    if (look.onlyInCloud) {
      this.#findings.add(look);
      return;
    }
    const counts = this.#plan.isMain(extensionOf(look.key)) || look.head?.kind === 'capture';
    this.#findings.add(counts ? look : asBeside(look));
    const system = systemIn(look);
    if (system !== null) this.#systems.set(system, (this.#systems.get(system) ?? 0) + 1);
    // Where a texture was photographed is no place of the data.
    const isTexture = !counts && look.head?.kind === 'jpeg' && look.head.hasPosition;
    const ring = isTexture ? null : this.#outline(look);
    if (!ring) return;
    this.#placed++;
    this.#extent.take(ring);
    this.#density.take(middleOf(ring));
    if (this.#placed <= maxFootprints) this.#footprints.push({ key: look.key, ring });
    else this.#footprints = [];
  }

  seen(state: Seen['state']): Seen {
    const systems = [...this.#systems].map(([system, count]) => ({ system, count }));
    return {
      state,
      looked: this.#looked,
      total: this.#plan.order.length,
      systems: systems
        .sort((a, b) => b.count - a.count || (a.system < b.system ? -1 : 1))
        .slice(0, maxSystems),
      extent: this.#extent.extent,
      placed: this.#placed,
      degrees: Array.from(this.#degrees, ([degree, { count, examples }]) => ({
        ...{ degree, count, examples: [...examples] },
      })),
      findings: this.#findings.finish(),
    };
  }

  #countDegree({ key, degree: own, onlyInCloud, unread }: Look): void {
    const degree = onlyInCloud ? 'only-in-cloud' : unread ? 'unreadable' : own;
    if (degree !== undefined) this.#count(degree, 1, degree === 'read' ? [] : [key]);
  }

  #count(degree: Degree, count: number, examples: readonly string[]): void {
    const group = this.#degrees.get(degree) ?? { count: 0, examples: [] };
    this.#degrees.set(degree, group);
    group.count += count;
    group.examples.push(...examples.slice(0, maxExamples - group.examples.length));
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

/** As the file or the one beside it names it, with its heights; null for a system without a name. */
function systemIn({ head, systemBeside, besideSays }: Look): string | null {
  const inside = head && 'system' in head && head.system !== null ? head : null;
  const named = inside?.system ?? systemBeside;
  const vertical = (inside ?? besideSays)?.vertical ?? null;
  return named === null || named === unnamedSystem ? null : joinSystems(named, vertical);
}
