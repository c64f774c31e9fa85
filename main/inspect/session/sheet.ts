import { setTimeout } from 'node:timers/promises';
import type { FindingGroup } from '../../../shared/findings.ts';
import type { AssetSeen } from '../../../shared/source.ts';
import { maxFootprints, packFootprints } from '../../../shared/source.ts';
import type { SomeFiles } from '../../../shared/source-changes.ts';
import { TileliftError } from '../../errors.ts';
import type { CallContext } from '../../files/call-thread.ts';
import { PickedFiles } from '../../files/file-table.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import { UnplacedFiles } from '../crs/unplaced-files.ts';
import { assetFiles } from '../grouping/asset-files.ts';
import { keyAt } from '../grouping/file-classes.ts';
import type { Piece } from '../grouping/propose.ts';
import { FirstResults, type WalkResults } from '../header-scan/first-results.ts';
import type { HeaderScanProgress } from '../header-scan/header-scan.ts';
import { guessMs } from '../headers/look-inside.ts';
import { chooseFile } from '../thumbnails/choose-file.ts';
import { assetOfPieces, fingerprintIn } from './as-uploaded.ts';
import { type Offers, offersFor, withOffers } from './companion-offers.ts';
import { guessOf, keysAsSent } from './guess.ts';
import type { Inspection } from './inspection.ts';
import { pieceView } from './piece-views.ts';
import { type PartRequest, requestedPart, type ShownSource, shownSource } from './requested-part.ts';
import { restorePieces } from './restore-pieces.ts';

/** Longest wait for neighbours of the first few files, ms. Later ones follow at the end of the scan. */
const firstOffersMs = 300;
/** Names per call. */
const maxNames = 100;

interface ShowRequest {
  readonly paths: readonly string[];
  /** Longest wait for headers, ms. Default: `guessMs`. */
  readonly longestMs?: number | undefined;
  /** Earlier decisions, if an asset is created again; null for none. */
  readonly sent?: ChosenChanges | null | undefined;
  /** Shown pieces that the user put into assets by hand, if the paths now hold more. */
  readonly included?: readonly number[] | undefined;
  /** Gitignore lines of files that a rule leaves out. Default: none. */
  readonly exclude?: readonly string[] | undefined;
}

interface FilesToShow {
  readonly pieces?: readonly number[];
  readonly leftOut?: readonly SomeFiles[];
}

/** An asset by the page's number, with the positions of its pieces. */
interface NumberedAsset {
  readonly group: number;
  readonly pieces: readonly number[];
}

/** Holds the source of the New asset sheet until the next one, since uploads start after the header scan. */
export class Sheet {
  readonly #inspection: Inspection;
  #shownSource: ShownSource | null = null;
  /** Shown before the current inspection, which may fail. */
  #previousSource: ShownSource | null = null;
  #firstResults: FirstResults | null = null;
  #unplaced = new UnplacedFiles();
  #turn = 0;

  constructor(inspection: Inspection) {
    this.#inspection = inspection;
  }

  /** Inspects names and the first few headers; reports the scan's progress. */
  async show(
    { paths, longestMs = guessMs, sent, included, exclude = [] }: ShowRequest,
    notify: (walked: WalkResults) => void,
  ) {
    const turn = ++this.#turn;
    this.#previousSource = included ? (this.#shownSource ?? this.#previousSource) : null;
    this.#shownSource = null;
    this.#unplaced = new UnplacedFiles();
    this.#firstResults?.end();
    const { scanHeaders } = this.#inspection;
    const firstResults = new FirstResults({
      currentTime: () => performance.now(),
      survey: scanHeaders,
      notify,
    });
    this.#firstResults = firstResults;
    const { source: inspected } = await this.#inspection
      .inspect(paths, {
        longestMs,
        exclude,
        onFiles: (files) => firstResults.addFiles(files),
        ...(sent !== undefined && { sent: { only: sent?.only } }),
      })
      .finally(() => firstResults.end());
    const restored = restorePieces(inspected, this.#previousSource, included ?? []);
    const source = { ...inspected, allPieces: restored.pieces };
    const sheetSource = shownSource(source);
    if (turn === this.#turn) this.#shownSource = sheetSource;
    const late = setTimeout(firstOffersMs, new Map(), { ref: false });
    const offers: Offers = await Promise.race([this.#offer(sheetSource, source.findings), late]);
    const { separate, suggestSeparate } = source;
    const fingerprints = sent === undefined && turn === this.#turn;
    const { files } = sheetSource;
    return {
      ...guessOf(source, (groups) => withOffers(groups, offers)),
      ...(sent && { asSent: keysAsSent(sent, sheetSource) }),
      ...(included && { piecesAgain: restored.places }),
      kept: source.pieces,
      fingerprint:
        fingerprints && !suggestSeparate
          ? fingerprintIn(assetOfPieces(sheetSource, source.pieces), files)
          : null,
      fingerprints: fingerprints ? separate.map((asset) => fingerprintIn(asset, files)) : [],
    };
  }

  /** Inspects all files and reports results by the page's asset numbers. */
  async scanHeaders(assets: readonly NumberedAsset[], { signal, notify }: CallContext<HeaderScanProgress>) {
    const sheetSource = this.#source();
    const numbers = assets.map(({ pieces }) => pieces);
    const { files, lengths } = assetFiles(sheetSource.files, sheetSource.pieces, numbers);
    const offered = (news: HeaderScanProgress): HeaderScanProgress => {
      const offers = this.#shownSource?.offers ?? new Map();
      const ofFindings = <Seen extends { readonly findings: readonly FindingGroup[] }>(results: Seen) => ({
        ...results,
        findings: withOffers(results.findings, offers),
      });
      return {
        ...news,
        seen: ofFindings(news.seen),
        ...(news.assets && { assets: news.assets.map(ofFindings) }),
      };
    };
    let lastNews: HeaderScanProgress | null = null;
    const seenOf = new Map<number, AssetSeen>();
    const onProgress = ({ assets: ofAssets, ...news }: HeaderScanProgress) => {
      const numberedAssets = ofAssets?.map((asset) => ({
        ...asset,
        group: assets[asset.group]?.group ?? asset.group,
      }));
      for (const asset of numberedAssets ?? []) seenOf.set(asset.group, asset);
      lastNews = {
        ...news,
        ...(seenOf.size > 0 && { assets: [...seenOf.values()] }),
        footprints: packFootprints([]),
      };
      notify(offered({ ...news, ...(numberedAssets && { assets: numberedAssets }) }));
    };
    await this.#inspection.scanHeaders(files, signal, onProgress, { lengths, unplaced: this.#unplaced });
    const end = lastNews as HeaderScanProgress | null;
    if (!end || signal.aborted) return;
    // Findings in later files may have neighbours too.
    const offers = await this.#offer(sheetSource, end.seen.findings);
    if (offers.size > 0 && !signal.aborted) notify(offered(end));
  }

  /** Null for proposed assets. */
  fingerprints(assets: readonly NumberedAsset[]): readonly (string | null)[] {
    const sheetSource = this.#source();
    return assets.map(({ group, pieces }) =>
      group >= sheetSource.proposed
        ? fingerprintIn(assetOfPieces(sheetSource, pieces), sheetSource.files)
        : null,
    );
  }

  /** Searches excluded names, one batch per call. */
  leftOut(query: { readonly pieces: readonly number[]; readonly search: string; readonly offset: number }) {
    const searchText = query.search.trim().normalize('NFC').toLowerCase();
    const names: string[] = [];
    let count = 0;
    for (const [, { files }] of this.#leftOut(query.pieces)) {
      for (const { key } of new PickedFiles(this.#source().files, files)) {
        if (!key.toLowerCase().includes(searchText)) continue;
        if (count >= query.offset && names.length < maxNames) names.push(key);
        count += 1;
      }
    }
    return { count, names };
  }

  /** Path of the file whose picture shows what the pieces are, or null. Default: all that is kept. */
  fileToShow({ pieces, leftOut = [] }: FilesToShow): string | null {
    const { files, pieces: allPieces } = this.#source();
    const excluded = new Set(leftOut.flatMap((some) => this.#keysOf(some)));
    for (const piece of pieces ? pieces.flatMap((index) => allPieces[index] ?? []) : allPieces) {
      const file = piece.kind && chooseFile(piece.kind, new PickedFiles(files, piece.files), excluded);
      if (file) return file.path;
    }
    return null;
  }

  partFile({ pieces, key }: { readonly pieces: readonly number[]; readonly key: string }) {
    const source = this.#source();
    const { files } = source;
    for (const [pieceIndex, piece] of this.#leftOut(pieces)) {
      const file = piece.files.find((fileIndex) => keyAt(files, fileIndex) === key);
      if (file === undefined) continue;
      if (piece.files.length === 1)
        return { at: pieceIndex, rest: null, place: pieceIndex, part: pieceView(piece, files) };
      const otherFiles = piece.files.filter((fileIndex) => fileIndex !== file);
      const remainingPiece: Piece = { ...piece, files: otherFiles, primary: keyAt(files, otherFiles[0]) };
      const part: Piece = { ...piece, files: [file], primary: key };
      this.#shownSource = { ...source, pieces: [...source.pieces.with(pieceIndex, remainingPiece), part] };
      const place = source.pieces.length;
      return { at: pieceIndex, rest: pieceView(remainingPiece, files), place, part: pieceView(part, files) };
    }
    throw new TileliftError('input-invalid', { subject: 'key' });
  }

  /** Places files as if they had this system, before they are uploaded. */
  placeAs({ system, files }: { readonly system: number | string; readonly files: SomeFiles }) {
    return this.#unplaced.placeAs(system, this.#keysOf(files).slice(0, maxFootprints));
  }

  #keysOf(files: SomeFiles): readonly string[] {
    return 'keys' in files ? files.keys : this.#inspection.showing(files.finding);
  }

  requestPart(wish: PartRequest) {
    return requestedPart(wish, this.#shownSource, (finding) => this.#inspection.showing(finding));
  }

  #source(): ShownSource {
    if (!this.#shownSource) throw new TileliftError('input-invalid', { subject: 'pieces' });
    return this.#shownSource;
  }

  #leftOut(places: readonly number[]): readonly (readonly [number, Piece])[] {
    const indexedPieces = places.map(
      (pieceIndex) => [pieceIndex, this.#shownSource?.pieces[pieceIndex]] as const,
    );
    return indexedPieces.map(([pieceIndex, piece]) => {
      if (!piece || piece.kind !== null) throw new TileliftError('input-invalid', { subject: 'pieces' });
      return [pieceIndex, piece];
    });
  }

  async #offer(source: ShownSource, findings: readonly FindingGroup[]): Promise<Offers> {
    const { paths, files } = source;
    // A hanging drive offers nothing.
    const find: Inspection['findCompanions'] = (...parameters) =>
      this.#inspection.findCompanions(...parameters).catch(() => new Map());
    const offers = await offersFor(paths, files, findings, find);
    if (this.#shownSource?.files === files) this.#shownSource = { ...this.#shownSource, offers };
    return offers;
  }
}
