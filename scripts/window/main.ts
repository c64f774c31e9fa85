/**
 * `npm start` with a display: runs the embedded service with a sample in Tilelift's window. `--dev`: hot
 * reload.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { sampleSource } from '../sample/sample-source.ts';
import { ensureElectron } from '../setup/electron.mjs';
import { root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';
import { say } from '../setup/say.mjs';
import { ensureSystem } from '../setup/system.mjs';
import { registerScheme } from './register-scheme.ts';

/** Tiling takes long enough to see it, ms. */
const sampleTilingMs = 15_000;

const dev = process.argv.includes('--dev');
const electronVite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');

const missingGroups = process.platform === 'linux' ? await ensureSystem(['electron']) : [];
for (const group of missingGroups) say(`Electron may need these system packages: ${group.missing.join(' ')}`);
const electron = await ensureElectron();

if (!dev) {
  say('Building …');
  const built = await run(process.execPath, [electronVite, 'build'], { cwd: root, quiet: true });
  if (built.code !== 0) throw new Error(`The app could not be built.\n${built.output.slice(-3000)}`);
}

const folder = await mkdtemp(join(tmpdir(), 'tilelift-'));
const service = await startEmbeddedService({ dataFolder: join(folder, 'storage'), tilingMs: sampleTilingMs });
service.control.seedAsset({ name: 'DGM1 2025', type: 'TERRAIN' });
const sample = await sampleSource(folder);
// Chromium's sandbox doesn't support root; only this trial start disables it, and only for root.
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const appArguments = [...sandbox, `--user-data-dir=${join(folder, 'user-data')}`];
const unregister = await registerScheme(electron.executable, [root, ...appArguments]);
say(`Embedded service: API ${service.baseUrl}, sign-in ${service.authUrl}`);

const command = dev
  ? { program: process.execPath, args: [electronVite, '--watch', '--', ...appArguments] }
  : { program: electron.executable, args: [root, ...appArguments] };
try {
  const { code } = await run(command.program, command.args, {
    cwd: root,
    env: {
      ...process.env,
      ELECTRON_EXEC_PATH: electron.executable,
      TILELIFT_SERVICE_NAME: 'Embedded service',
      TILELIFT_SERVICE_API: service.baseUrl,
      TILELIFT_SERVICE_SIGN_IN: service.authUrl,
      TILELIFT_SAMPLE: sample.path,
    },
  });
  process.exitCode = code;
} finally {
  await unregister();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
