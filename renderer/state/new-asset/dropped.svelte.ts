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

/** Where the look at what was dropped stands. */
type View =
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'inspecting';
      readonly paths: readonly string[];
      /** What is known before all of it was walked through; null while that is nothing. */
      readonly walked: SourceWalkedView | null;
    }
  | { readonly kind: 'unusable'; readonly paths: readonly string[]; readonly error: ErrorRecord }
  | { readonly kind: 'found'; readonly source: SourceView };

/** What a look is to be told beside the paths. */
interface Told {
  /** Id of the job whose source it is. */
  readonly correcting?: string;
  /** There is more than was shown: its pieces that a person put into assets. */
  readonly included?: readonly number[];
}

/** What was dropped on the New asset sheet, and what main tells of it. */
export class Dropped {
  view: View = $state.raw({ kind: 'closed' });
  /** Null until it was looked at. */
  source: SourceView | null = $derived(this.view.kind === 'found' ? this.view.source : null);
  readonly #api: Api;
  #round = 0;
  /** What was seen beyond the first few files, which may be told before these are. */
  #seen: Pick<SourceView, 'footprints' | 'density' | 'seen' | 'findings' | 'assets'> | null = null;

  constructor(api: Api) {
    this.#api = api;
    api.on('source.seen', (view) => this.#takeSeen(view));
    api.on('source.walked', (walked) => {
      if (walked.round === this.#round && this.view.kind === 'inspecting')
        this.view = { ...this.view, walked };
    });
  }

  /** The number of a look that makes older ones void. */
  nextRound(): number {
    this.#seen = null;
    return ++this.#round;
  }

  /** Nothing newer is looked at, and the sheet is open. */
  isCurrent(round: number): boolean {
    return round === this.#round;
  }

  /** Null where something newer is looked at by then. Throws `ApiError`. */
  async look(paths: readonly string[], round: number, told: Told): Promise<SourceView | null> {
    const source = await this.#api.call('source.inspect', { paths, round, ...told });
    if (round !== this.#round) return null;
    return { ...source, ...this.#seen, assets: joinAssets(source.assets, this.#seen?.assets) };
  }

  close(): void {
    this.nextRound();
    this.leave();
    this.view = { kind: 'closed' };
  }

  /** Looking on would only hold up the upload. What can't be told main now it finds out by itself. */
  leave(): void {
    if (this.view.kind !== 'closed') this.#api.call('source.leave', null).catch(() => {});
  }

  /** Keys of files of pieces that are left out, a page of those with this text. Throws `ApiError`. */
  listLeftOut(pieces: readonly number[], search: string, from: number) {
    return this.#api.call('source.leftOut', { pieces, search, from });
  }

  /**
   * One of these files as a piece of its own; null where something else is shown by then. Throws `ApiError`.
   */
  async partFile(pieces: readonly number[], key: string): Promise<PartedFileView | null> {
    const round = this.#round;
    const parted = await this.#api.call('source.partFile', { pieces, key });
    const { source } = this;
    if (round !== this.#round || !source) return null;
    this.view = { kind: 'found', source: { ...source, ...withParted(source, parted) } };
    return parted;
  }

  /**
   * The assets of what is shown, as a person has put them together: what is seen of each comes by events from
   * now on. Gives what became of them; nothing where that can't be told.
   */
  regroup(assets: readonly Pick<SeparateDraft, 'group' | 'pieces'>[]): Promise<readonly AssetMadeBefore[]> {
    const numbered = assets.flatMap(({ group, pieces }) => (group === null ? [] : [{ group, pieces }]));
    return this.#api.call('source.regroup', { round: this.#round, assets: numbered }).catch(() => []);
  }

  #takeSeen({ round, seen, assets = [], footprints, density }: SourceSeenView): void {
    if (round !== this.#round) return;
    const before = this.#seen?.footprints ?? [];
    const keys = new Set(before.map(({ key }) => key));
    const further = unpackFootprints(footprints).filter(({ key }) => !keys.has(key));
    // Beside a density those stay that came before it: what is found in one of these files can be shown.
    const all = [...before, ...further].slice(0, maxFootprints);
    const known = joinAssets(this.source?.assets ?? this.#seen?.assets ?? [], assets);
    this.#seen = { footprints: all, density, seen, findings: seen.findings, assets: known };
    if (this.source) this.view = { kind: 'found', source: { ...this.source, ...this.#seen } };
  }
}

/** What was seen of each asset last. */
const joinAssets = (
  earlier: readonly AssetSeen[],
  later: readonly AssetSeen[] = [],
): readonly AssetSeen[] => [...new Map([...earlier, ...later].map((asset) => [asset.group, asset])).values()];
