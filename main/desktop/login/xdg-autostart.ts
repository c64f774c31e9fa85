import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';
import { writeWholeSync } from '../../whole-file.ts';

/**
 * Start at login on Linux: a desktop entry in the person's autostart folder (freedesktop.org, "Desktop
 * Application Autostart Specification" 0.5 and "Desktop Entry Specification" 1.5). Pure.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the entry belongs. A relative folder in the environment does not count (XDG Base Directory Spec). */
export function autostartFile(environment: Environment, home: string): string {
  const given = environment.XDG_CONFIG_HOME;
  const config = given !== undefined && isAbsolute(given) ? given : join(home, '.config');
  return join(config, 'autostart', 'tilelift.desktop');
}

/**
 * What to start: the AppImage where this runs from one, since its executable is in a mount that is gone at
 * the next login.
 */
export function autostartProgram(environment: Environment, executable: string): string {
  const { APPIMAGE: image, APPDIR: mount } = environment;
  // Another program's AppImage hands its own down to what it starts.
  const isOurs = image !== undefined && isAbsolute(image) && mount && executable.startsWith(`${mount}/`);
  return isOurs ? image : executable;
}

/**
 * The entry that starts the program with these arguments.
 * @throws TileliftError `login-item-unavailable` for a program that an entry can't name
 */
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

/** Whether an entry starts this program: not another's, nor one that is hidden or switched off. */
export function startsAtLogin(entry: string, program: string, args: readonly string[]): boolean {
  const values = mainGroup(entry);
  if (values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false') return false;
  return values.get('Exec') === mainGroup(autostartEntry(program, args)).get('Exec');
}

function mainGroup(entry: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let inside = false;
  for (const line of entry.split(/\r?\n/)) {
    if (line.startsWith('[')) inside = line.trim() === '[Desktop Entry]';
    const at = line.indexOf('=');
    const key = line.slice(0, Math.max(0, at)).trimEnd();
    if (inside && /^[A-Za-z0-9-]+$/.test(key)) values.set(key, line.slice(at + 1).trim());
  }
  return values;
}

/** An argument of `Exec`, always in quotes; a percent sign would begin a field code. */
function quoted(argument: string): string {
  return `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** A value of type string. The rule for `Exec` comes first: a backslash within quotes becomes four. */
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
  /** Absolute path of the entry. */
  readonly file: string;
  /** Absolute path of what to start. */
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The login item (`login-item.ts`) as an entry in the autostart folder. It is there whole or not at all.
 * `set` throws `login-item-unavailable`.
 */
export function autostartFileItem({ file, program, args }: AutostartOptions) {
  // Without `.desktop` at its end no session takes it for an entry.
  const unfinished = `${file}.part`;
  return {
    isOn: (): boolean => {
      try {
        return startsAtLogin(readFileSync(file, 'utf8'), program, args);
      } catch {
        return false;
      }
    },
    set: (on: boolean): void => {
      try {
        if (on) writeWholeSync(file, autostartEntry(program, args), unfinished);
        else rmSync(file, { force: true });
      } catch (cause) {
        remove(unfinished);
        throw new TileliftError('login-item-unavailable', { cause });
      }
    },
  };
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where its folder is none, nothing was left either.
  }
}
