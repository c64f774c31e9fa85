import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';

/** Whether one version comes after another (Semantic Versioning 2.0.0). What is no version comes after nothing. */
export function isNewer(offered: string, current: string): boolean {
  return isVersion(offered) && isVersion(current) && gt(offered, current);
}

/** The library reads past a `v` and spaces; in what names a file and is signed they have no place. */
const isVersion = (text: string) => valid(text) === text.split('+', 1)[0];
