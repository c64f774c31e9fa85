import type { Degree } from '../../../shared/degrees.ts';
import { type AssetSeen, joinSystems, unnamedSystem } from '../../../shared/source.ts';
import { isLocal } from '../findings/captures.ts';
import type { Findings } from '../findings/create-findings.ts';
import { canNameSystem } from '../findings/find-in-file.ts';
import { extensionOf } from '../headers/choose.ts';
import { inspectedMembers, type Look } from '../headers/look-inside.ts';
import { asAuxiliary } from '../headers/read-header.ts';

const maxSystems = 50;
/** Per degree. */
const maxExamples = 3;

/** Accumulates the results for one asset's files. */
export class AssetSoFar {
  readonly #findings: Findings;
  readonly #isMain: (extension: string) => boolean;
  readonly #systems = new Map<string, number>();
  readonly #degrees = new Map<Degree, { count: number; readonly examples: string[] }>();
  #locatable = 0;
  hasNews = false;

  /** `isMain`: whether files with an extension are data and not sidecars. */
  constructor(findings: Findings, isMain: (extension: string) => boolean) {
    this.#findings = findings;
    this.#isMain = isMain;
  }

  /** Adds a file and, for archives, its members. */
  take(look: Look): void {
    this.hasNews = true;
    this.#add(look);
    for (const member of inspectedMembers(look)) this.#add(member);
    const { count, examples } = look.members?.unread ?? { count: 0, examples: [] };
    if (count > 0) this.#count('names-only', count, examples);
  }

  #add(look: Look): void {
    this.#countDegree(look);
    if (look.onlyInCloud) {
      this.#findings.add(look);
      return;
    }
    const isData = this.isData(look);
    this.#findings.add(isData ? look : asAuxiliary(look));
    if (!isData) return;
    const system = systemIn(look);
    if (system !== null) this.#systems.set(system, (this.#systems.get(system) ?? 0) + 1);
    if (system !== null || canNameSystem(look)) this.#locatable++;
  }

  isData({ key, head }: Look): boolean {
    return this.#isMain(extensionOf(key)) || head?.kind === 'capture';
  }

  results(): Omit<AssetSeen, 'group'> {
    this.hasNews = false;
    const systems = Array.from(this.#systems, ([system, count]) => ({ system, count }));
    return {
      systems: systems
        .sort((a, b) => b.count - a.count || (a.system < b.system ? -1 : 1))
        .slice(0, maxSystems),
      locatable: this.#locatable,
      degrees: Array.from(this.#degrees, ([degree, { count, examples }]) => ({
        ...{ degree, count, examples: [...examples] },
      })),
      findings: this.#findings.finish(),
    };
  }

  #countDegree({ key, degree: readDegree, onlyInCloud, unread }: Look): void {
    const degree = onlyInCloud ? 'only-in-cloud' : unread ? 'unreadable' : readDegree;
    if (degree !== undefined) this.#count(degree, 1, degree === 'read' ? [] : [key]);
  }

  #count(degree: Degree, count: number, examples: readonly string[]): void {
    const group = this.#degrees.get(degree) ?? { count: 0, examples: [] };
    this.#degrees.set(degree, group);
    group.count += count;
    group.examples.push(...examples.slice(0, maxExamples - group.examples.length));
  }
}

/** Named by the file or its sidecar, with heights; null for a system without a name. */
function systemIn({ head, sidecarSystemName, sidecarSystem }: Look): string | null {
  if (head?.kind === 'capture') return !isLocal(head) && /^EPSG:\d/.test(head.srs) ? head.srs : null;
  const inside = head && 'system' in head && head.system !== null ? head : null;
  const systemName = inside?.system ?? sidecarSystemName;
  const vertical = (inside ?? sidecarSystem)?.vertical ?? null;
  return systemName === null || systemName === unnamedSystem ? null : joinSystems(systemName, vertical);
}
