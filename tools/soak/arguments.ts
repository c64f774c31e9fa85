import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run soak -- [options]
  --minutes M   how long writers write and things go wrong (default: 10)
  --burst N     folders that arrive at once (default: 500)
  --service     the command tilelift watch instead, restarted by a supervisor after each SIGKILL
  --seed TEXT   repeats the choices of another run (default: a new one)
  --keep        a run that goes wrong leaves its folder behind, with logs and the drive
  --json        readable lines to stderr, the result alone to stdout
  --help`;

export interface SoakArguments {
  readonly minutes: number;
  readonly burst: number;
  readonly service: boolean;
  readonly seed: string;
  readonly keep: boolean;
  readonly json: boolean;
}

/** Returns null for `--help`. Throws an error for invalid arguments. */
export function readArguments(args: readonly string[]): SoakArguments | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      service: { type: 'boolean', default: false },
      burst: { type: 'string', default: '500' },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 10_000)) throw new Error('--minutes takes a number above 0.');
  if (!/^\d{1,5}$/.test(values.burst)) throw new Error('--burst takes a whole number.');
  return {
    minutes,
    burst: Number(values.burst),
    service: values.service,
    seed: values.seed,
    keep: values.keep,
    json: values.json,
  };
}
