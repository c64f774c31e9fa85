import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { TileliftError } from '../../errors.ts';
import { readPresetsFile, type SharedPreset } from '../../presets/presets-file.ts';
import { settingsInFile } from '../../settings-file.ts';
import type { Cli } from '../cli.ts';
import { homeOf } from '../home.ts';
import { desktopHome } from '../running.ts';
import { UsageError } from '../usage-error.ts';
import type { UploadOptions } from './options.ts';

/** Files and standard input that options of `tilelift upload` name. */

/** Returns the paths of `--files-from`, one per line. Throws `UsageError`. */
export async function listedPaths(cli: Cli, file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const list = file === '-' ? await text(cli.stdin) : readText(file);
  const lines = list.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0) throw new UsageError({ key: 'cli.upload.listEmpty', values: { file } });
  return lines.map((line) => resolve(line));
}

/** Replaces `@FILE` by its content, and `NAME=VALUE` by JSON. Throws `UsageError`. */
export function withOptionsRead(options: UploadOptions): UploadOptions {
  const text = options.options;
  if (text?.startsWith('@')) return { ...options, options: readText(text.slice(1)) };
  const [, name, value = ''] = /^(\w+)=(.+)$/.exec(text ?? '') ?? [];
  if (name === undefined) return options;
  const isPlain = /^(true|false|\d+(\.\d+)?)$/.test(value);
  return { ...options, options: JSON.stringify({ [name]: isPlain ? JSON.parse(value) : value }) };
}

/**
 * The presets of `--presets-file`, else those of the home folder and the desktop.
 * @throws UsageError, TileliftError `presets-file-unreadable`
 */
export function presetsFor(cli: Cli, { preset, presetsFile }: UploadOptions): readonly SharedPreset[] {
  if (preset === undefined) return [];
  if (presetsFile !== undefined) {
    const read = readPresetsFile(readText(presetsFile));
    if (read.kind === 'presets') return read.presets;
    throw new TileliftError('presets-file-unreadable', { subject: presetsFile });
  }
  const desktop = desktopHome(cli.platform, cli.env, cli.userHome);
  const homes = [homeOf(cli), ...(desktop === null ? [] : [desktop])];
  return homes.flatMap((home) => settingsInFile(home).get().presets);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError({ key: 'cli.secret.missing', values: { path } });
  }
}
