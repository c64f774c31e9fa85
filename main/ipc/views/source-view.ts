import type { Forecast, MadeBeforeView, SeparateSourceView, SourceView } from '../../../preload/contract.ts';
import { findKind } from '../../../shared/kinds.ts';
import type { Guess } from '../../inspect/session/guess.ts';
import { say } from '../../say.ts';

/** Knowledge beyond the source itself. */
export interface Knowledge {
  readonly forecast: (bytes: number, files: number) => Forecast | null;
  readonly recall: (kindKey: string) => SourceView['lastChoice'];
  /** Earlier uploads of each asset; default: none. */
  readonly madeBefore?: readonly (MadeBeforeView | null)[];
}

/** Builds the New asset sheet's view of a source. */
export function sourceView(guess: Guess, { forecast, recall, madeBefore = [] }: Knowledge): SourceView {
  const recallChoice = ({ bytes, fileCount, kindKey }: Pick<Guess, 'bytes' | 'fileCount' | 'kindKey'>) => ({
    lastChoice: recall(kindKey),
    forecast: forecast(bytes, fileCount),
  });
  const separateViews = guess.separate.map((asset, group): SeparateSourceView => {
    const earlierUpload = madeBefore[group];
    return { ...asset, ...recallChoice(asset), group, ...(earlierUpload && { madeBefore: earlierUpload }) };
  });
  return { ...guess, ...recallChoice(guess), separate: withOwnNames(separateViews, guess) };
}

/** Begins all assets of one folder with its name, and adds the kind to equal names: `Essen · Imagery`. */
function withOwnNames(
  separateViews: readonly SeparateSourceView[],
  { paths, suggestedName: folderName }: Pick<Guess, 'paths' | 'suggestedName'>,
): readonly SeparateSourceView[] {
  const isOneFolder = paths.length === 1 && separateViews.length > 1;
  const names = Map.groupBy(separateViews, ({ suggestedName }) => suggestedName);
  return separateViews.map((asset) => {
    const { suggestedName: name } = asset;
    const kind = findKind(asset.suggestion?.sourceType ?? '');
    const isUnclear = (names.get(name)?.length ?? 0) > 1 || (isOneFolder && name === folderName);
    const parts = [
      ...(isOneFolder && name !== folderName ? [folderName] : []),
      name,
      ...(isUnclear && kind ? [say(`kinds.source.${kind.sourceType}`)] : []),
    ];
    return { ...asset, suggestedName: parts.join(' · ') };
  });
}
