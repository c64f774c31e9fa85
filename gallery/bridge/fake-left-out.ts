import type { CallName, Calls, PieceView } from '../../preload/contract.ts';

type LeftOutCall = Extract<CallName, 'source.leftOut' | 'source.partFile'>;
type LeftOutHandlers = {
  [Name in LeftOutCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']>;
};

/** Names of files per page. */
const maxNames = 100;

/** Plays calls about left-out files. A piece has more files than its view lists; the others are numbered. */
export function playLeftOut(given: () => readonly PieceView[]): LeftOutHandlers {
  const keysOf = ({ names, fileCount }: PieceView) =>
    Array.from({ length: fileCount }, (_, at) => names[at] ?? `Bericht/Anlage_${at + 1}.pdf`);
  let played: { view: PieceView; keys: readonly string[] }[] | null = null;
  const now = () => {
    played ??= given().map((view) => ({ view, keys: view.reason ? keysOf(view) : [] }));
    return played;
  };
  return {
    'source.leftOut': async ({ pieces, search, from }) => {
      const keys = pieces.flatMap((at) => now()[at]?.keys ?? []);
      const found = keys.filter((key) => key.toLowerCase().includes(search.trim().toLowerCase()));
      return { count: found.length, names: found.slice(from, from + maxNames) };
    },
    'source.partFile': async ({ pieces, key }) => {
      const at = pieces.find((place) => now()[place]?.keys.includes(key)) ?? 0;
      const whole = now()[at];
      if (!whole) throw new Error(`no piece has ${key}`);
      const { view } = whole;
      const bytes = view.bytes / view.fileCount;
      const name = key.split('/').at(-1) ?? key;
      const part: PieceView = {
        ...{ ...view, name, bytes, fileCount: 1, names: [key] },
        contents: [{ extension: name.split('.').at(-1) ?? '', count: 1, beside: false }],
      };
      if (view.fileCount === 1) return { at, rest: null, place: at, part };
      const keys = whole.keys.filter((one) => one !== key);
      const rest: PieceView = {
        ...{ ...view, fileCount: keys.length, bytes: view.bytes - bytes },
        names: view.names.filter((one) => one !== key),
      };
      const place = now().length;
      now()[at] = { view: rest, keys };
      now().push({ view: part, keys: [key] });
      return { at, rest, place, part };
    },
  };
}
