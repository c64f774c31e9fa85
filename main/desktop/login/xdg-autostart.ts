import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { writeFileAtomicSync } from '../../atomic-file.ts';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';

/**
 * An autostart entry (freedesktop.org, "Desktop Application Autostart Specification" 0.5 and "Desktop Entry
 * Specification" 1.5). Pure.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Relative folders don't count (XDG Base Directory Spec). */
export function autostartFile(environment: Environment, home: string): string {
  const configHome = environment.XDG_CONFIG_HOME;
  const config = configHome !== undefined && isAbsolute(configHome) ? configHome : join(home, '.config');
  return join(config, 'autostart', 'tilelift.desktop');
}

/** An AppImage's mounted executable is gone at the next login. */
export function autostartProgram(environment: Environment, executable: string): string {
  const { APPIMAGE: image, APPDIR: mount } = environment;
  // Another AppImage's children inherit its variables.
  const isOurs = image !== undefined && isAbsolute(image) && mount && executable.startsWith(`${mount}/`);
  return isOurs ? image : executable;
}

/** @throws TileliftError `login-item-unavailable` for a program that an entry can't name */
export function autostartEntry(program: string, args: readonly string[]): string {
  // "The name or path of the executable program may not contain the equal sign."
  if (program.includes('=')) throw new TileliftError('login-item-unavailable', { subject: program });
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Tilelift',
    `Comment=${say('dialogs.autostart')}`,
    `TryExec=${asString(program)}`,
    `Exec=${asString([program, ...args].map(quoted).join(' '))}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** False for another program, and if hidden or disabled. */
export function startsAtLogin(entry: string, program: string, args: readonly string[]): boolean {
  const values = mainGroup(entry);
  if (values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false') return false;
  return values.get('Exec') === mainGroup(autostartEntry(program, args)).get('Exec');
}

function mainGroup(entry: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isInEntry = false;
  for (const line of entry.split(/\r?\n/)) {
    if (line.startsWith('[')) isInEntry = line.trim() === '[Desktop Entry]';
    const separator = line.indexOf('=');
    const key = line.slice(0, Math.max(0, separator)).trimEnd();
    if (isInEntry && /^[A-Za-z0-9-]+$/.test(key)) values.set(key, line.slice(separator + 1).trim());
  }
  return values;
}

/** A percent sign would begin a field code. */
function quoted(argument: string): string {
  return `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** `Exec`'s own rule comes first: a quoted backslash becomes four. */
function asString(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/^ /, '\\s')
    .replace(/ $/, '\\s');
}

interface AutostartOptions {
  /** Absolute. */
  readonly file: string;
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Written atomically. `set` throws `login-item-unavailable`. */
export function autostartFileItem({ file, program, args }: AutostartOptions) {
  // Sessions ignore files without `.desktop`.
  const partialFile = `${file}.part`;
  return {
    isOn: (): boolean => {
      try {
        return startsAtLogin(readFileSync(file, 'utf8'), program, args);
      } catch {
        return false;
      }
    },
    set: (isOn: boolean): void => {
      try {
        if (isOn) writeFileAtomicSync(file, autostartEntry(program, args), partialFile);
        else rmSync(file, { force: true });
      } catch (cause) {
        remove(partialFile);
        throw new TileliftError('login-item-unavailable', { cause });
      }
    },
  };
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Ignore a missing folder.
  }
}
