import { countForeign } from '../chaos/foreign.ts';
import type { Control } from '../service/model.ts';
import type { Expected, Manifest } from './expected.ts';

/** The result, as the last line shows it. */
export interface Score {
  /** Versions of sources that were finished. */
  sources: number;
  /** Complete assets. */
  assets: number;
  /** Assets beyond one for each version. */
  doubles: number;
  /** Versions without an asset. */
  missed: number;
  /** Assets whose bytes are those of no finished version. */
  premature: number;
  /** Assets that were begun for a version and did not come to their end. */
  stuck: number;
  /** The most complete assets that one version of one source has. */
  assetsPerSource: number;
  /** Requests that something answered which is neither the service nor storage. */
  foreignAnswers: number;
}

/** Holds the assets of the account against what was written, byte by byte (SHA-256). Says what is wrong. */
export async function scoreOf(
  expected: ReadonlyMap<string, Expected>,
  control: Control,
  say: (text: string) => void,
): Promise<Score> {
  const score: Score = {
    sources: 0,
    assets: 0,
    doubles: 0,
    missed: 0,
    premature: 0,
    stuck: 0,
    assetsPerSource: 0,
    foreignAnswers: countForeign(control),
  };
  const unfinished = new Map<string, number>();
  const found = new Map<string, Manifest[]>();
  for (const { id, name, status } of control.assets()) {
    const key = String(name);
    if (status !== 'COMPLETE') {
      unfinished.set(key, (unfinished.get(key) ?? 0) + 1);
      continue;
    }
    score.assets += 1;
    found.set(key, [...(found.get(key) ?? []), await stored(Number(id), control)]);
  }
  for (const { name, versions } of expected.values()) {
    const assets = found.get(name) ?? [];
    found.delete(name);
    score.sources += versions.length;
    for (const version of versions) {
      const same = assets.filter((asset) => isSame(version, asset)).length;
      score.assetsPerSource = Math.max(score.assetsPerSource, same);
    }
    const unseen = [...versions];
    for (const asset of assets) {
      const index = unseen.findIndex((version) => isSame(version, asset));
      if (index >= 0) unseen.splice(index, 1);
      else if (versions.some((version) => isSame(version, asset))) {
        score.doubles += 1;
        say(`  WRONG      ${name}: one version became two assets`);
      } else {
        score.premature += 1;
        say(`  WRONG      ${name}: an asset holds what was never finished: ${[...asset.keys()].join(', ')}`);
      }
    }
    const begun = Math.min(unfinished.get(name) ?? 0, unseen.length);
    score.stuck += begun;
    score.missed += unseen.length - begun;
    if (unseen.length > 0)
      say(`  WRONG      ${name}: ${unseen.length} of ${versions.length} versions have no asset`);
  }
  for (const [name, assets] of found) {
    score.doubles += assets.length;
    say(`  WRONG      ${name}: an asset of something that nobody wrote under this name`);
  }
  return score;
}

async function stored(assetId: number, control: Control): Promise<Manifest> {
  const prefix = `sources/${assetId}/`;
  const objects = await control.objects(prefix);
  return new Map(objects.map(({ key, size, sha256 }) => [key.slice(prefix.length), { size, sha256 }]));
}

function isSame(a: Manifest, b: Manifest): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, { size, sha256 }]) => {
      const other = b.get(key);
      return other?.size === size && other.sha256 === sha256;
    })
  );
}
