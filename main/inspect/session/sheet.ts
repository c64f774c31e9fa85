import { setTimeout } from 'node:timers/promises';
import type { FindingGroup } from '../../../shared/findings.ts';
import type { AssetSeen } from '../../../shared/source.ts';
import { packFootprints } from '../../../shared/source.ts';
import { TileliftError } from '../../errors.ts';
import type { Hearing } from '../../files/call-thread.ts';
import { PickedFiles } from '../../files/file-table.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import { assetFiles } from '../grouping/asset-files.ts';
import { keyAt } from '../grouping/natures.ts';
import type { Piece } from '../grouping/propose.ts';
import { guessMs } from '../headers/look-inside.ts';
import { FirstWords, type WalkedSoFar } from '../survey/first-words.ts';
import type { SurveyNews } from '../survey/survey.ts';
import { type Offers, offersFor, withOffers } from './along-offers.ts';
import { assetOfPieces, fingerprintIn } from './as-uploaded.ts';
import { guessOf, keysAsSent } from './guess.ts';
import type { Looking } from './looking.ts';
import { pieceView } from './piece-views.ts';
import { piecesAgain } from './pieces-again.ts';
import { type PartWish, type ShownSource, shownSource, wantedPart } from './wanted-part.ts';

/** Nobody waits longer for what lies beside the first few files: it is told at the end of the survey. ms */
const firstOffersMs = 300;
/** Names of files that a page is given at a time. */
const maxNames = 100;

/** What a sheet is to show. */
interface ShowWish {
  readonly paths: readonly string[];
  /** How long it waits for headers, ms. Default: `guessMs`. */
  readonly longestMs?: number | undefined;
  /** Of an asset that is made once more: what was decided about its files; null for nothing. */
  readonly sent?: ChosenChanges | null | undefined;
  /** Pieces that are shown and are in assets by hand, where the paths hold more than is shown. */
  readonly included?: readonly number[] | undefined;
}

/** One of several assets: by the number that the page knows it by, the places of its pieces. */
interface NumberedAsset {
  readonly group: number;
  readonly pieces: readonly number[];
}

/**
 * The source that the New asset sheet shows, until it shows another: the wish to upload it comes when the
 * page looks on no more. Whatever it is asked answers with what crosses to a page.
 */
export class Sheet {
  readonly #looking: Looking;
  #shown: ShownSource | null = null;
  /** What was shown before a look that may yet fail. */
  #before: ShownSource | null = null;
  #first: FirstWords | null = null;
  #turn = 0;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** What the paths are, by names and the first few headers. Tells how far the walk has come. */
  async show({ paths, longestMs = guessMs, sent, included }: ShowWish, tell: (walked: WalkedSoFar) => void) {
    const turn = ++this.#turn;
    this.#before = included ? (this.#shown ?? this.#before) : null;
    this.#shown = null;
    this.#first?.end();
    const { survey } = this.#looking;
    const first = new FirstWords({ now: () => performance.now(), survey, tell });
    this.#first = first;
    const { source: inspected } = await this.#looking
      .inspect(paths, {
        longestMs,
        onFiles: (files) => first.take(files),
        ...(sent !== undefined && { sent: { only: sent?.only } }),
      })
      .finally(() => first.end());
    const again = piecesAgain(inspected, this.#before, included ?? []);
    const source = { ...inspected, allPieces: again.pieces };
    const shown = shownSource(source);
    if (turn === this.#turn) this.#shown = shown;
    const late = setTimeout(firstOffersMs, new Map(), { ref: false });
    const offers: Offers = await Promise.race([this.#offer(shown, source.findings), late]);
    const { separate, suggestSeparate } = source;
    const fingerprints = sent === undefined && turn === this.#turn;
    const { files } = shown;
    return {
      ...guessOf(source, (groups) => withOffers(groups, offers)),
      ...(sent && { asSent: keysAsSent(sent, shown) }),
      ...(included && { piecesAgain: again.places }),
      kept: source.pieces,
      fingerprint:
        fingerprints && !suggestSeparate ? fingerprintIn(assetOfPieces(shown, source.pieces), files) : null,
      fingerprints: fingerprints ? separate.map((asset) => fingerprintIn(asset, files)) : [],
    };
  }

  /** Looks into all files of the assets, and tells what it sees, by the page's numbers of assets. */
  async survey(assets: readonly NumberedAsset[], { signal, tell }: Hearing<SurveyNews>) {
    const shown = this.#source();
    const numbers = assets.map(({ pieces }) => pieces);
    const { files, lengths } = assetFiles(shown.files, shown.pieces, numbers);
    const offered = (news: SurveyNews): SurveyNews => {
      const offers = this.#shown?.offers ?? new Map();
      const ofFindings = <Seen extends { readonly findings: readonly FindingGroup[] }>(seen: Seen) => ({
        ...seen,
        findings: withOffers(seen.findings, offers),
      });
      return {
        ...news,
        seen: ofFindings(news.seen),
        ...(news.assets && { assets: news.assets.map(ofFindings) }),
      };
    };
    let last: SurveyNews | null = null;
    const seenOf = new Map<number, AssetSeen>();
    const hear = ({ assets: ofAssets, ...news }: SurveyNews) => {
      const own = ofAssets?.map((asset) => ({ ...asset, group: assets[asset.group]?.group ?? asset.group }));
      for (const asset of own ?? []) seenOf.set(asset.group, asset);
      last = {
        ...news,
        ...(seenOf.size > 0 && { assets: [...seenOf.values()] }),
        footprints: packFootprints([]),
      };
      tell(offered({ ...news, ...(own && { assets: own }) }));
    };
    await this.#looking.survey(files, signal, hear, lengths);
    const end = last as SurveyNews | null;
    if (!end || signal.aborted) return;
    // What was found beyond the first few files may have something beside it too.
    const offers = await this.#offer(shown, end.seen.findings);
    if (offers.size > 0 && !signal.aborted) tell(offered(end));
  }

  /** By what earlier uploads of these assets are found. */
  fingerprints(assets: readonly NumberedAsset[]): readonly (string | null)[] {
    const shown = this.#source();
    return assets.map(({ group, pieces }) =>
      group >= shown.proposed ? fingerprintIn(assetOfPieces(shown, pieces), shown.files) : null,
    );
  }

  /** Names of what is left out: of those in which the text is, some from a number on, and how many. */
  leftOut(given: { readonly pieces: readonly number[]; readonly search: string; readonly from: number }) {
    const wanted = given.search.trim().normalize('NFC').toLowerCase();
    const names: string[] = [];
    let count = 0;
    for (const [, { files }] of this.#leftOut(given.pieces)) {
      for (const { key } of new PickedFiles(this.#source().files, files)) {
        if (!key.toLowerCase().includes(wanted)) continue;
        if (count >= given.from && names.length < maxNames) names.push(key);
        count += 1;
      }
    }
    return { count, names };
  }

  /** Makes a piece of its own of a file that is left out. */
  partFile({ pieces, key }: { readonly pieces: readonly number[]; readonly key: string }) {
    const source = this.#source();
    const { files } = source;
    for (const [at, piece] of this.#leftOut(pieces)) {
      const file = piece.files.find((one) => keyAt(files, one) === key);
      if (file === undefined) continue;
      if (piece.files.length === 1) return { at, rest: null, place: at, part: pieceView(piece, files) };
      const others = piece.files.filter((one) => one !== file);
      const rest: Piece = { ...piece, files: others, primary: keyAt(files, others[0]) };
      const part: Piece = { ...piece, files: [file], primary: key };
      this.#shown = { ...source, pieces: [...source.pieces.with(at, rest), part] };
      const place = source.pieces.length;
      return { at, rest: pieceView(rest, files), place, part: pieceView(part, files) };
    }
    throw new TileliftError('input-invalid', { subject: 'key' });
  }

  /** As `wantedPart`, of what is shown. */
  wanted(wish: PartWish) {
    return wantedPart(wish, this.#shown, (finding) => this.#looking.showing(finding));
  }

  #source(): ShownSource {
    if (!this.#shown) throw new TileliftError('input-invalid', { subject: 'pieces' });
    return this.#shown;
  }

  #leftOut(places: readonly number[]): readonly (readonly [number, Piece])[] {
    const found = places.map((at) => [at, this.#shown?.pieces[at]] as const);
    return found.map(([at, piece]) => {
      if (!piece || piece.kind !== null) throw new TileliftError('input-invalid', { subject: 'pieces' });
      return [at, piece];
    });
  }

  /** Offers what lies beside single dropped files and answers these findings. */
  async #offer(source: ShownSource, findings: readonly FindingGroup[]): Promise<Offers> {
    const { paths, files } = source;
    // A drive that does not answer offers nothing.
    const find: Looking['filesAlong'] = (...asked) =>
      this.#looking.filesAlong(...asked).catch(() => new Map());
    const offers = await offersFor(paths, files, findings, find);
    if (this.#shown?.files === files) this.#shown = { ...this.#shown, offers };
    return offers;
  }
}
