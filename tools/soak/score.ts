import type { Control } from '../../test/service/model.ts';
import { type ExpectedSource, logOfFlight, type Manifest } from './expected.ts';
import { isRefused } from './refused.ts';

/** Outcome of the written sources, shown as the last line. */
export interface Score {
  sources: number;
  assets: number;
  /** Assets beyond one for each version. */
  doubles: number;
  missed: number;
  /** Assets whose bytes match no finished version. */
  premature: number;
  /** Premature assets with a file whose bytes match no finished version of it. */
  torn: number;
  junkAssets: number;
  /** Abandoned assets, replaced or not. */
  orphans: number;
  /** Unfinished assets of a version. */
  stuck: number;
  refused: number;
  /** The most complete assets of one version. */
  assetsPerSource: number;
}

/** An asset of the account with its stored files. */
export interface FoundAsset {
  readonly name: string;
  readonly status: string;
  readonly files: Manifest;
}

/** All assets of the account; only complete ones get their stored files. */
export async function assetsOf(control: Control): Promise<readonly FoundAsset[]> {
  const assets: FoundAsset[] = [];
  for (const { id, name, status } of control.assets()) {
    const files = status === 'COMPLETE' ? await storedManifest(Number(id), control) : new Map();
    assets.push({ name: String(name), status: String(status), files });
  }
  return assets;
}

/** Compares assets with the written files by SHA-256 and reports the differences. */
export function scoreOf(
  expectedSources: Iterable<ExpectedSource>,
  assets: readonly FoundAsset[],
  say: (text: string) => void,
): Score {
  const score: Score = {
    sources: 0,
    assets: 0,
    doubles: 0,
    missed: 0,
    premature: 0,
    torn: 0,
    junkAssets: 0,
    orphans: 0,
    stuck: 0,
    refused: 0,
    assetsPerSource: 0,
  };
  const reportWrong = (name: string, problem: string) => say(`  WRONG      ${name}: ${problem}`);
  const unfinishedCounts = new Map<string, number>();
  const assetsByName = new Map<string, Manifest[]>();
  for (const { name, status, files } of assets) {
    if (isRefused({ name })) {
      score.refused += 1;
      continue;
    }
    if (status !== 'COMPLETE') {
      unfinishedCounts.set(name, (unfinishedCounts.get(name) ?? 0) + 1);
      continue;
    }
    score.assets += 1;
    assetsByName.set(name, [...(assetsByName.get(name) ?? []), files]);
  }
  for (const { name, versions } of expectedSources) {
    const ownAssets = assetsByName.get(name) ?? [];
    assetsByName.delete(name);
    score.sources += versions.length;
    for (const version of versions) {
      const sameCount = ownAssets.filter((asset) => isSame(version, asset)).length;
      score.assetsPerSource = Math.max(score.assetsPerSource, sameCount);
    }
    const unseenVersions = [...versions];
    for (const asset of ownAssets) {
      const index = unseenVersions.findIndex((version) => isSame(version, asset));
      if (index >= 0) unseenVersions.splice(index, 1);
      else if (versions.some((version) => isSame(version, asset))) {
        score.doubles += 1;
        reportWrong(name, 'one version became two assets');
      } else {
        score.premature += 1;
        if (isTorn(asset, versions)) score.torn += 1;
        reportWrong(name, `an asset holds what was never finished: ${[...asset.keys()].join(', ')}`);
      }
    }
    const openCount = unfinishedCounts.get(name) ?? 0;
    unfinishedCounts.delete(name);
    const startedCount = Math.min(openCount, unseenVersions.length);
    score.stuck += startedCount;
    score.orphans += openCount - startedCount;
    if (openCount > startedCount)
      reportWrong(name, `${openCount - startedCount} of its assets were begun and given up`);
    score.missed += unseenVersions.length - startedCount;
    if (unseenVersions.length > 0)
      reportWrong(name, `${unseenVersions.length} of ${versions.length} versions have no asset`);
  }
  for (const [name, ownAssets] of assetsByName) {
    score.junkAssets += ownAssets.length;
    reportWrong(name, 'an asset of something that nobody wrote under this name');
  }
  for (const [name, count] of unfinishedCounts) {
    score.orphans += count;
    reportWrong(name, 'an asset was begun of what nobody wrote, and given up');
  }
  if (score.refused > maxRefused) reportWrong('refused by storage', `${score.refused} assets`);
  return score;
}

/** The refused delivery may leave this many assets, since no user decides about it. */
const maxRefused = 2;

/** Whether the score has no errors. */
export function isFlawless(score: Score): boolean {
  const { doubles, missed, premature, torn, junkAssets, orphans, stuck, refused } = score;
  return refused <= maxRefused && doubles + missed + premature + torn + junkAssets + orphans + stuck === 0;
}

/** Whether an asset holds a file with bytes that no finished version has. */
function isTorn(asset: Manifest, versions: readonly Manifest[]): boolean {
  return [...asset].some(([key, bytes]) => {
    const wholeVersions = versions.flatMap((version) => version.get(key) ?? []);
    return (
      wholeVersions.length > 0 &&
      !wholeVersions.some((version) => version.size === bytes.size && version.sha256 === bytes.sha256)
    );
  });
}

async function storedManifest(assetId: number, control: Control): Promise<Manifest> {
  const prefix = `sources/${assetId}/`;
  const objects = await control.objects(prefix);
  const files = objects.map(({ key, size, sha256 }) => [key.slice(prefix.length), { size, sha256 }] as const);
  // Whether it is sent depends on the last edit of its rule.
  return new Map(files.filter(([key]) => key !== logOfFlight));
}

function isSame(a: Manifest, b: Manifest): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, { size, sha256 }]) => {
      const otherFile = b.get(key);
      return otherFile?.size === size && otherFile.sha256 === sha256;
    })
  );
}
