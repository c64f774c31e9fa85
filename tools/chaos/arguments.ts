import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fullMeasure, type Measure } from './sources.ts';
import { type StoreName, storeNames } from './stores/embedded-store.ts';

export const usage = `Usage: npm run chaos -- [options]
  --kills N       kills and faults, at moments chosen by chance (default: 50)
  --store NAME    what kind of storage: verifies (compares CRC32s, as Amazon S3 does), ignores (takes them
                  without a word, as Ceph RGW does), changing (now so, now so, now refusing them), or all
                  three, one after the other (default: verifies)
  --external      the object store that the environment names (S3_ENDPOINT and so on) in place of those:
                  kills, and faults of the service alone
  --seed TEXT     repeats the choices of another run (default: a new one)
  --json          readable lines to stderr, the result alone to stdout
  --large-mib N   size of the one large file (default: 2048)
  --small N       number of small files (default: 5000)
  --help`;

export interface ChaosArguments {
  readonly kills: number;
  readonly seed: string;
  readonly json: boolean;
  readonly measure: Measure;
  readonly stores: readonly (StoreName | 'external')[];
}

/** Returns null for `--help`. Throws an error for invalid arguments. */
export function readArguments(args: readonly string[]): ChaosArguments | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      json: { type: 'boolean', default: false },
      store: { type: 'string', default: 'verifies' },
      external: { type: 'boolean', default: false },
      'large-mib': { type: 'string' },
      small: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const wholeNumber = (text: string | undefined, name: string, byDefault: number) => {
    if (text === undefined) return byDefault;
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} takes a whole number from 1.`);
    return Number(text);
  };
  return {
    kills: wholeNumber(values.kills, 'kills', 50),
    seed: values.seed,
    json: values.json,
    stores: values.external ? ['external'] : storesOf(values.store),
    measure: {
      largeBytes: wholeNumber(values['large-mib'], 'large-mib', fullMeasure.largeBytes / 2 ** 20) * 2 ** 20,
      smallFiles: wholeNumber(values.small, 'small', fullMeasure.smallFiles),
      mix: 'whole',
    },
  };
}

function storesOf(name: string): readonly StoreName[] {
  if (name === 'all') return storeNames;
  const knownName = storeNames.find((storeName) => storeName === name);
  if (!knownName) throw new Error(`--store takes one of ${storeNames.join(', ')}, all.`);
  return [knownName];
}
