import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs up to so many bytes are told whole: whoever has the output alone can repeat them. */
const maxBytes = 4_096;

/**
 * What fuzzing left in its folder, a line for each fault: target, kind, the first line of what was said, and
 * its input in base64.
 * @param {string} folder
 * @returns {string[]}
 */
export function faultsOfFuzz(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => {
      const file = name.slice(0, -'.txt'.length);
      const [said] = readFileSync(join(folder, name), 'utf8').split('\n', 1);
      const input = readFileSync(join(folder, file));
      const bytes = input.length > maxBytes ? `${input.length} bytes` : input.toString('base64');
      return `${file}: ${said}; input ${bytes || 'empty'}`;
    });
}
