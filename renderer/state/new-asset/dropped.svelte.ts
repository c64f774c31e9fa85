import type {
  AssetMadeBefore,
  AssetSeen,
  ErrorRecord,
  PartedFileView,
  SourceSeenView,
  SourceView,
  SourceWalkedView,
} from '../../../preload/contract.ts';
import { maxFootprints, unpackFootprints } from '../../../shared/source.ts';
import type { Api } from '../../api.ts';
import type { SeparateDraft } from './draft/draft.ts';
import { withParted } from './draft/proposal.ts';

type View =
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'inspecting';
      readonly paths: readonly string[];
      readonly walked: SourceWalkedView | null;
    }
  | { readonly kind: 'unusable'; readonly paths: readonly string[]; readonly error: ErrorRecord }
  | { readonly kind: 'found'; readonly source: SourceView };

interface InspectRequest {
  readonly correcting?: string;
  /** Pieces that a person added to assets before the source grew. */
  readonly included?: readonly number[];
}

/** The source dropped on the New asset sheet, as main inspects it. */
export class DroppedSource {
  view: View = $state.raw({ kind: 'closed' });
  source: SourceView | null = $derived(this.view.kind === 'found' ? this.view.source : null);
  readonly #api: Api;
  #round = 0;
  /** Facts beyond the first few files; they may arrive before `source`. */
  #facts: Pick<SourceView, 'footprints' | 'density' | 'seen' | 'findings' | 'assets'> | null = null;

  constructor(api: Api) {
    this.#api = api;
    api.on('source.seen', (view) => this.#takeSeen(view));
    api.on('source.walked', (view) => {
      if (view.round === this.#round && this.view.kind === 'inspecting')
        this.view = { ...this.view, walked: view };
    });
  }

  nextRound(): number {
    this.#facts = null;
    return ++this.#round;
  }

  /** True while the sheet is open and no newer round began. */
  isCurrent(round: number): boolean {
    return round === this.#round;
  }

  /** Null if a newer round began. Throws `ApiError`. */
  async look(
    paths: readonly string[],
    round: number,
    parameters: InspectRequest,
  ): Promise<SourceView | null> {
    const source = await this.#api.call('source.inspect', { paths, round, ...parameters });
    if (round !== this.#round) return null;
    return { ...source, ...this.#facts, assets: joinAssets(source.assets, this.#facts?.assets) };
  }

  close(): void {
    this.nextRound();
    this.leave();
    this.view = { kind: 'closed' };
  }

  /** Stops inspecting, which would slow the upload. Main ends an unreported inspection itself. */
  leave(): void {
    if (this.view.kind !== 'closed') this.#api.call('source.leave', null).catch(() => {});
  }

  /** One page of keys of left-out files that match the text. Throws `ApiError`. */
  listLeftOut(pieces: readonly number[], search: string, offset: number) {
    return this.#api.call('source.leftOut', { pieces, search, offset });
  }

  /** Turns a left-out file into its own piece; null if the sheet shows another source. Throws `ApiError`. */
  async partFile(pieces: readonly number[], key: string): Promise<PartedFileView | null> {
    const round = this.#round;
    const parted = await this.#api.call('source.partFile', { pieces, key });
    const { source } = this;
    if (round !== this.#round || !source) return null;
    this.view = { kind: 'found', source: { ...source, ...withParted(source, parted) } };
    return parted;
  }

  /**
   * Reports the person's grouping, so that events carry facts per asset. Returns the assets' current facts;
   * nothing on errors.
   */
  regroup(assets: readonly Pick<SeparateDraft, 'group' | 'pieces'>[]): Promise<readonly AssetMadeBefore[]> {
    const groupedAssets = assets.flatMap(({ group, pieces }) => (group === null ? [] : [{ group, pieces }]));
    return this.#api.call('source.regroup', { round: this.#round, assets: groupedAssets }).catch(() => []);
  }

  #takeSeen({ round, seen: facts, assets = [], footprints, density }: SourceSeenView): void {
    if (round !== this.#round) return;
    const previous = this.#facts?.footprints ?? [];
    const keys = new Set(previous.map(({ key }) => key));
    const newFootprints = unpackFootprints(footprints).filter(({ key }) => !keys.has(key));
    // Early footprints stay although a density arrived: findings point to their files.
    const combined = [...previous, ...newFootprints].slice(0, maxFootprints);
    const joinedAssets = joinAssets(this.source?.assets ?? this.#facts?.assets ?? [], assets);
    this.#facts = {
      footprints: combined,
      density,
      seen: facts,
      findings: facts.findings,
      assets: joinedAssets,
    };
    if (this.source) this.view = { kind: 'found', source: { ...this.source, ...this.#facts } };
  }
}

/** Merges the latest facts about each asset. */
const joinAssets = (
  earlierAssets: readonly AssetSeen[],
  laterAssets: readonly AssetSeen[] = [],
): readonly AssetSeen[] => [
  ...new Map([...earlierAssets, ...laterAssets].map((asset) => [asset.group, asset])).values(),
];
