import type { CallName, Calls, PieceView } from '../../preload/contract.ts';

type LeftOutCall = Extract<CallName, 'source.leftOut' | 'source.partFile'>;
type LeftOutHandlers = {
  [Name in LeftOutCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']>;
};

/** Names of files per page. */
const maxNames = 100;

/** Plays calls about left-out files. A piece has more files than its view lists; the others are numbered. */
export function playLeftOut(readPieces: () => readonly PieceView[]): LeftOutHandlers {
  const keysOf = ({ names, fileCount }: PieceView) =>
    Array.from({ length: fileCount }, (_, index) => names[index] ?? `Bericht/Anlage_${index + 1}.pdf`);
  let played: { view: PieceView; keys: readonly string[] }[] | null = null;
  const currentPieces = () => {
    played ??= readPieces().map((view) => ({ view, keys: view.reason ? keysOf(view) : [] }));
    return played;
  };
  return {
    'source.leftOut': async ({ pieces, search, offset }) => {
      const keys = pieces.flatMap((place) => currentPieces()[place]?.keys ?? []);
      const matches = keys.filter((key) => key.toLowerCase().includes(search.trim().toLowerCase()));
      return { count: matches.length, names: matches.slice(offset, offset + maxNames) };
    },
    'source.partFile': async ({ pieces, key }) => {
      const index = pieces.find((place) => currentPieces()[place]?.keys.includes(key)) ?? 0;
      const separatedPiece = currentPieces()[index];
      if (!separatedPiece) throw new Error(`no piece has ${key}`);
      const { view } = separatedPiece;
      const bytes = view.bytes / view.fileCount;
      const name = key.split('/').at(-1) ?? key;
      const part: PieceView = {
        ...{ ...view, name, bytes, fileCount: 1, names: [key] },
        contents: [{ extension: name.split('.').at(-1) ?? '', count: 1, beside: false }],
      };
      if (view.fileCount === 1) return { at: index, rest: null, place: index, part };
      const keys = separatedPiece.keys.filter((file) => file !== key);
      const remainder: PieceView = {
        ...{ ...view, fileCount: keys.length, bytes: view.bytes - bytes },
        names: view.names.filter((file) => file !== key),
      };
      const place = currentPieces().length;
      currentPieces()[index] = { view: remainder, keys };
      currentPieces().push({ view: part, keys: [key] });
      return { at: index, rest: remainder, place, part };
    },
  };
}
