import type { CallName, Calls, PieceView } from '../../preload/contract.ts';

type LeftOutCall = Extract<CallName, 'source.leftOut' | 'source.partFile'>;
type LeftOutHandlers = {
  [Name in LeftOutCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']>;
};

/** Names of files that a page is given at a time. */
const maxNames = 100;

/**
 * The calls about what is left out, played. A piece has more files than its view names: the further ones are
 * numbered.
 */
export function playLeftOut(given: () => readonly PieceView[]): LeftOutHandlers {
  let pieces: PieceView[] | null = null;
  const keysOf = ({ names, fileCount }: PieceView) =>
    Array.from({ length: fileCount }, (_, at) => names[at] ?? `Bericht/Anlage_${at + 1}.pdf`);
  const now = () => {
    pieces ??= [...given()];
    return pieces;
  };
  return {
    'source.leftOut': async ({ pieces, search, from }) => {
      const keys = pieces.flatMap((at) => keysOf(now()[at] as PieceView));
      const found = keys.filter((key) => key.toLowerCase().includes(search.trim().toLowerCase()));
      return { count: found.length, names: found.slice(from, from + maxNames) };
    },
    'source.partFile': async ({ pieces, key }) => {
      const at = pieces.find((place) => keysOf(now()[place] as PieceView).includes(key)) ?? 0;
      const whole = now()[at] as PieceView;
      const bytes = whole.bytes / whole.fileCount;
      const name = key.split('/').at(-1) ?? key;
      const part: PieceView = {
        ...{ ...whole, name, bytes, fileCount: 1, names: [key] },
        contents: [{ extension: name.split('.').at(-1) ?? '', count: 1, beside: false }],
      };
      if (whole.fileCount === 1) return { at, rest: null, place: at, part };
      const names = whole.names.filter((one) => one !== key);
      const rest: PieceView = {
        ...{ ...whole, fileCount: whole.fileCount - 1, bytes: whole.bytes - bytes },
        names,
      };
      const place = now().length;
      now()[at] = rest;
      now().push(part);
      return { at, rest, place, part };
    },
  };
}
