/**
 * An attacker with write access to watched folders, run as another user than Tilelift. Failures are ignored.
 * Takes `HostileInput` as JSON in one argument and ends when its time is up.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const hostileInput = z.object({
  /** Watched folders. */
  folders: z.array(z.string()),
  /** Files outside the folders: absolute paths with all known facts. */
  secrets: z.array(z.object({ path: z.string(), size: z.number(), mtimeMs: z.number() })),
  /** A path where files would be started. */
  autostart: z.string(),
  ms: z.number(),
});
export type HostileInput = z.infer<typeof hostileInput>;

const input = hostileInput.parse(JSON.parse(process.argv[2] ?? '{}'));
const deadline = performance.now() + input.ms;
let count = 0;

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const freshName = (kind: string) => `evil-${kind}-${++count}`;

/** Ignores what the system refuses. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Try the next way.
  }
}

/** Never waits for the other end of a pipe that another attack created. */
const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_NONBLOCK;
const write = (path: string | Buffer, content: string | Uint8Array) => {
  const descriptor = fs.openSync(path, flags);
  try {
    fs.writeFileSync(descriptor, content);
  } finally {
    fs.closeSync(descriptor);
  }
};

const writeContent = (path: string, content: string | Uint8Array) => {
  fs.mkdirSync(dirname(path), { recursive: true });
  write(path, content);
};

const secret = () => pick(input.secrets);
const markOf = (folder: string, source: string) =>
  join(folder, '.tilelift/sources', `${createHash('sha256').update(source).digest('hex')}.json`);

/** A file with the name, size and time of the secret. */
function lookalike(path: string, { size, mtimeMs }: { size: number; mtimeMs: number }): void {
  writeContent(path, randomBytes(size));
  fs.utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

function links(folder: string): void {
  const at = join(folder, freshName('links'));
  const { path } = secret();
  writeContent(join(at, 'decoy.tif'), 'decoy');
  for (const [name, target] of [
    ['secret.tif', path],
    ['secrets', dirname(path)],
    ['dangling', join(path, 'nothing')],
    ['loop', '.'],
    ['root', '/'],
    ['model.mtl', path],
  ] as const)
    attempt(() => fs.symlinkSync(target, join(at, name)));
  attempt(() => writeContent(join(at, 'model.obj'), `mtllib ../../../${path}\nmtllib secrets/secret.mtl\n`));
  attempt(() => fs.symlinkSync(path, join(folder, `${freshName('link')}.tif`)));
  attempt(() => fs.symlinkSync(dirname(path), join(folder, freshName('folder-link'))));
  attempt(() => fs.linkSync(path, join(folder, `${freshName('second-name')}.tif`)));
}

/** Replaces an inspected folder or file by a link to the secret while it may be read. */
async function swaps(folder: string, replacedKind: 'folder' | 'file' | 'source'): Promise<void> {
  const knownSecret = secret();
  const top = join(folder, freshName(`swap-${replacedKind}`));
  const name = knownSecret.path.slice(dirname(knownSecret.path).length + 1);
  const innerFolder = replacedKind === 'source' ? top : join(top, 'inner');
  lookalike(join(innerFolder, name), knownSecret);
  if (replacedKind !== 'source') writeContent(join(top, 'decoy.tif'), 'decoy');
  const swapped = replacedKind === 'file' ? join(innerFolder, name) : innerFolder;
  const target = replacedKind === 'file' ? knownSecret.path : dirname(knownSecret.path);
  const markedFile = markOf(folder, top.slice(folder.length + 1));
  const patience = performance.now() + 2_500;
  while (performance.now() < Math.min(patience, deadline) && !fs.existsSync(markedFile)) await pause(1);
  const end = performance.now() + 700;
  while (performance.now() < end) {
    attempt(() => fs.renameSync(swapped, join(folder, '.hidden-evil.tmp')));
    attempt(() => fs.symlinkSync(target, swapped));
    await pause(Math.random() * 12);
    attempt(() => fs.unlinkSync(swapped));
    attempt(() => fs.renameSync(join(folder, '.hidden-evil.tmp'), swapped));
    await pause(Math.random() * 12);
  }
}

function plans(folder: string): void {
  const evil = join(folder, '.tilelift', freshName('start.desktop'));
  attempt(() => writeContent(evil, '[Desktop Entry]'));
  const { path } = secret();
  const moves = [
    { from: evil, to: join(input.autostart, 'evil.desktop') },
    { from: path, to: join(folder, `${freshName('stolen')}.tif`) },
    { from: join(folder, 'done'), to: join(input.autostart, 'done') },
    { from: join(folder, 'honest-0'), to: join(input.autostart, 'honest-0') },
  ];
  attempt(() =>
    writeContent(join(folder, '.tilelift/moves', `${freshName('plan')}.json`), JSON.stringify([pick(moves)])),
  );
  attempt(() => writeContent(join(folder, '.tilelift/moves', freshName('half')), '[{"from": "/'));
  attempt(() => fs.symlinkSync(path, join(folder, '.tilelift/moves', freshName('link'))));
}

function leases(folder: string): void {
  const source = freshName('marked');
  writeContent(join(folder, source, 'a.tif'), 'evil');
  const file = pick([markOf(folder, source), join(folder, '.tilelift/leases', freshName('evil.json'))]);
  const owner = { instance: 'evil', machine: 'evil', host: 'evil', pid: 1 };
  const asset = { id: 1, service: null, uploaded: true };
  const mark = {
    ...{ version: 1, owner, source, identity: 'x', state: pick(['taken', 'done']), outcome: null },
    ...{ asset, content: null, files: null, session: 'evil', rule: 'r', patterns: ['*.evil'] },
    ...{ renewedAt: '', beat: 1, resting: false },
  };
  const future = new Date('2099-01-01');
  attempt(
    pick<() => void>([
      () => writeContent(file, JSON.stringify(mark)),
      () => writeContent(file, JSON.stringify({ ...mark, outcome: 'x'.repeat(5_000_000) })),
      () => writeContent(file, '['.repeat(50_000)),
      () => {
        writeContent(file, '');
        fs.truncateSync(file, 2 ** 42);
      },
      () => fs.symlinkSync(secret().path, file),
      () => execFileSync('mkfifo', [file]),
      () => fs.mkdirSync(file),
      () => {
        writeContent(file, JSON.stringify(mark));
        fs.utimesSync(file, future, future);
      },
    ]),
  );
}

/** Replaces Tilelift's own folder or the move target for a moment. */
async function replace(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const asideFile = join(folder, '.tilelift-aside.tmp');
  attempt(() => fs.renameSync(path, asideFile));
  attempt(
    pick<() => void>([
      () => fs.symlinkSync(input.autostart, path),
      () => fs.symlinkSync(dirname(secret().path), path),
      () => fs.symlinkSync(path, path),
      () => write(path, ''),
      () => execFileSync('mkfifo', [path]),
    ]),
  );
  await pause(Math.random() * 400);
  attempt(() => fs.unlinkSync(path));
  attempt(() => fs.renameSync(asideFile, path));
}

/** Folders with odd names next to honest ones, written once to save bandwidth. */
const oddBeside = new Set<string>();

function names(folder: string): void {
  const at = join(folder, freshName('names'));
  const oddNames: readonly (string | Buffer)[] = [
    'line\nbreak\r.tif',
    '\u001b[31mred\u0007.tif',
    '\u202egnp.tif',
    '..\\..\\up.tif',
    '..up.tif',
    '...',
    ' ',
    '-rf',
    '$(touch evil).tif',
    '"quoted\'.tif',
    '%2e%2e%2fup.tif',
    '!#*?[].tif',
    'n'.repeat(255),
    '\u00e9'.repeat(127),
    Buffer.from([0xff, 0xfe, 0x41]),
  ];
  fs.mkdirSync(at, { recursive: true });
  for (const name of oddNames) {
    const nameBelow = Buffer.concat([Buffer.from(`${at}/`), Buffer.from(name)]);
    const evilName = Buffer.concat([Buffer.from(`${folder}/evil-`), Buffer.from(name).subarray(0, 240)]);
    attempt(() => write(nameBelow, 'odd'));
    if (!oddBeside.has(folder)) attempt(() => write(evilName, 'odd'));
  }
  oddBeside.add(folder);
  let deepFolder = join(folder, freshName('deep'));
  while (deepFolder.length < 3_900) deepFolder = join(deepFolder, 'd'.repeat(200));
  attempt(() => fs.mkdirSync(deepFolder, { recursive: true }));
}

function pipes(folder: string): void {
  const at = join(folder, freshName('pipes'));
  fs.mkdirSync(at, { recursive: true });
  for (const name of ['a.tif', 'model.obj', 'model.mtl', 'scene.gltf', 'data.zip'])
    attempt(() => execFileSync('mkfifo', [join(at, name), join(folder, `${freshName('pipe')}-${name}`)]));
  attempt(() => {
    const server = createServer().listen(join(at, 'socket.tif'));
    server.on('error', () => {});
    server.unref();
  });
}

function giants(folder: string): void {
  const at = join(folder, freshName('giant'), 'giant.tif');
  writeContent(at, 'II*\0');
  attempt(() => fs.truncateSync(at, 2 ** 42));
}

function manyFiles(folder: string): void {
  const at = join(folder, freshName('many'));
  for (let index = 0; index < 100; index++) attempt(() => writeContent(join(at, `${index}.tif`), ''));
}

async function rights(folder: string): Promise<void> {
  const at = join(folder, freshName('rights'));
  for (const name of ['a.tif', 'sub/b.tif']) writeContent(join(at, name), 'rights');
  for (const mode of [0, 0o755, 0o100, 0o755, 0o777]) {
    attempt(() => fs.chmodSync(join(at, pick(['a.tif', 'sub', '.'])), mode));
    await pause(Math.random() * 150);
  }
}

/** Replaces a file about to be read by a pipe. */
async function pipeSwap(folder: string): Promise<void> {
  const path = join(folder, freshName('pipe-swap'), 'model.obj');
  writeContent(path, `mtllib a.mtl\n${'v 0 0 0\n'.repeat(1_000)}`);
  for (let turn = 0; turn < 20; turn++) {
    attempt(() => fs.renameSync(path, `${path}.tmp`));
    attempt(() => execFileSync('mkfifo', [path]));
    await pause(Math.random() * 40);
    attempt(() => fs.unlinkSync(path));
    attempt(() => fs.renameSync(`${path}.tmp`, path));
    await pause(Math.random() * 40);
  }
}

const attacks: readonly ((folder: string) => void | Promise<void>)[] = [
  links,
  (folder) => swaps(folder, 'folder'),
  (folder) => swaps(folder, 'file'),
  (folder) => swaps(folder, 'source'),
  plans,
  leases,
  (folder) => replace(folder, '.tilelift'),
  (folder) => replace(folder, '.tilelift/sources'),
  (folder) => replace(folder, '.tilelift/moves'),
  (folder) => replace(folder, 'done'),
  names,
  pipes,
  giants,
  manyFiles,
  rights,
  pipeSwap,
];

/** Runs attacks in parallel, each at least once per folder if time permits. */
async function hand(firstIndex: number): Promise<void> {
  for (let turn = firstIndex; performance.now() < deadline; turn++) {
    const folder = input.folders[Math.floor(turn / attacks.length) % input.folders.length] ?? '';
    try {
      await attacks[turn % attacks.length]?.(folder);
    } catch {
      // Try the next way.
    }
    await pause(100);
  }
}

await Promise.all([0, 5, 10, 16, 21, 26].map(hand));
process.stdout.write(`${count}\n`);
process.exit(0);
