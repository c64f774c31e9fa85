import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { autostartEntry, startsAtLogin } from './xdg-autostart.ts';

export interface AutostartOptions {
  /** Absolute path of the entry. */
  readonly file: string;
  /** Absolute path of what to start. */
  readonly program: string;
  readonly args: readonly string[];
}

/** The login item (`login-item.ts`) as an entry in the autostart folder. It is there whole or not at all. `set` throws `login-item-unavailable`. */
export function autostartFileItem({ file, program, args }: AutostartOptions) {
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
        if (on) write(file, autostartEntry(program, args));
        else rmSync(file, { force: true });
      } catch (cause) {
        throw new TileliftError('login-item-unavailable', { cause });
      }
    },
  };
}

function write(file: string, text: string): void {
  // Without `.desktop` at its end no session takes it for an entry.
  const unfinished = `${file}.${process.pid}.part`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(unfinished, text, { flush: true });
    renameSync(unfinished, file);
  } catch (thrown) {
    rmSync(unfinished, { force: true });
    throw thrown;
  }
}
