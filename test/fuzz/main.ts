/**
 * `npm run fuzz -- --seconds N`: hostile input for every parser of external data. `--json`, `--seed S`,
 * `--only NAME`, `--replay FILE`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { createTargetThread, type FoundFault } from './run-target.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', multiple: true, default: [] },
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const folder = join(import.meta.dirname, '..', '..', 'test-output', 'fuzz');
const say = (line: string) => process.stderr.write(`${line}\n`);

if (values.replay === undefined) await run();
else await replay(values.replay);

async function run(): Promise<void> {
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  if (!(seconds > 0) || !Number.isSafeInteger(seed)) throw new Error('--seconds and --seed want numbers');
  const result = await fuzz({
    seconds,
    seed,
    only: values.only,
    onFault: (target, fault) => {
      const file = saveInput(folder, target, fault);
      say(`${target}: ${fault.fault}, ${firstLine(fault)}\n  npm run fuzz -- --replay ${file}`);
    },
    onTarget: (target, inputs, outcomes) => {
      if (!values.json) say(`${target}: ${inputs} inputs, ${outcomes} outcomes`);
    },
  });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exitCode = result.crashes + result.hangs + result.escapes > 0 ? 1 : 0;
}

async function replay(file: string): Promise<void> {
  const { target, input } = readSaved(file);
  const thread = createTargetThread();
  const { faults } = await thread.run({ target, seed: 0, lasts: 0, only: [input] });
  thread.close();
  for (const { fault, message } of faults) say(`${fault}: ${message}`);
  if (faults.length === 0) say('nothing is wrong with it');
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function firstLine({ message }: FoundFault): string {
  return message.split('\n', 1)[0] ?? '';
}

function saveInput(folder: string, target: string, { fault, input, message }: FoundFault): string {
  mkdirSync(folder, { recursive: true });
  const name = `${target}.${fault}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  const file = join(folder, name);
  writeFileSync(file, input);
  writeFileSync(`${file}.txt`, message);
  return file;
}

function readSaved(file: string): { readonly target: string; readonly input: Uint8Array } {
  return { target: basename(file).split('.')[0] ?? '', input: readFileSync(file) };
}
