import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';

const desktopFile = 'tilelift-development.desktop';
const scheme = 'x-scheme-handler/tilelift';

/**
 * Registers a run from source for `tilelift:` addresses on Linux; on other systems the app registers itself.
 * Resolves with a function that restores the previous program.
 */
export async function registerScheme(
  executable: string,
  args: readonly string[],
): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {};
  const folder = join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'applications');
  const file = join(folder, desktopFile);
  const command = [executable, ...args].map(quoteForDesktopEntry).join(' ');
  const previousHandler = (
    await run('xdg-mime', ['query', 'default', scheme], { quiet: true })
  ).output.trim();
  await mkdir(folder, { recursive: true });
  await writeFile(
    file,
    `[Desktop Entry]\nType=Application\nName=Tilelift (from source)\nExec=${command} %u\nNoDisplay=true\nMimeType=${scheme};\n`,
  );
  await run('update-desktop-database', [folder], { quiet: true });
  await run('xdg-mime', ['default', desktopFile, scheme], { quiet: true });
  return async () => {
    await rm(file, { force: true });
    await run('update-desktop-database', [folder], { quiet: true });
    if (previousHandler !== '' && previousHandler !== desktopFile)
      await run('xdg-mime', ['default', previousHandler, scheme], { quiet: true });
  };
}

/** Quotes as in the Desktop Entry Specification, "The Exec key". */
function quoteForDesktopEntry(argument: string): string {
  return `"${argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
