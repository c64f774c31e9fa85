import type { Control } from '../../test/service/model.ts';
import type { EndedLine } from './engine.ts';
import { compareProofs, type ProofCount } from './proofs.ts';
import type { Source } from './sources.ts';
import type { ChaosStore } from './stores/store.ts';

interface Verdict {
  readonly corrupt: number;
  readonly lostFiles: number;
  readonly duplicateAssets: number;
  readonly findings: readonly string[];
  /** Assets without files that the history declares abandoned. */
  readonly declaredOrphans: number;
  readonly proofs: ProofCount;
  readonly falseProofs: number;
}

/** Compares storage with the source by SHA-256, and the account's assets with the job's history. */
export async function verifyRun(
  name: string,
  source: Source,
  end: EndedLine,
  control: Control,
  store: Pick<ChaosStore, 'objects' | 'mayCompareCrc32'>,
  journalPath: string,
): Promise<Verdict> {
  const findings: string[] = [];
  let corrupt = 0;
  let lostFiles = 0;
  if (end.status !== 'complete')
    findings.push(`${name} ended as ${end.status}: ${end.error ?? 'no reason given'}`);
  const prefix = `sources/${end.assetId}/`;
  const objects = end.status === 'complete' ? await store.objects(prefix) : [];
  const foundObjects = new Map(objects.map((object) => [object.key.slice(prefix.length), object]));
  const proofs = await compareProofs(journalPath, name, foundObjects, store.mayCompareCrc32);
  for (const key of proofs.false)
    findings.push(`${name}: ${key} was compared otherwise than it is on record`);
  for (const { key, size, sha256 } of source.files) {
    const object = foundObjects.get(key);
    foundObjects.delete(key);
    if (!object) {
      lostFiles += 1;
      findings.push(`${name}: ${key} is not on storage`);
    } else if (object.sha256 !== sha256 || object.size !== size) {
      corrupt += 1;
      findings.push(`${name}: ${key} differs on storage`);
    }
  }
  for (const key of foundObjects.keys()) {
    corrupt += 1;
    findings.push(`${name}: ${key} is on storage and not in the source`);
  }

  const assets = control.assets().filter((asset) => asset.name === name);
  const otherAssets = assets.filter((asset) => asset.id !== end.assetId);
  const declaredAssets = otherAssets.filter(
    (asset) =>
      asset.status === 'AWAITING_FILES' &&
      end.history.some((text) => text.startsWith(`Asset ${asset.id} was left behind`)),
  );
  for (const asset of otherAssets) {
    if (declaredAssets.includes(asset)) continue;
    findings.push(`${name}: asset ${asset.id} (${asset.status}) is one too many and nowhere declared`);
  }
  return {
    corrupt,
    lostFiles,
    duplicateAssets: otherAssets.length - declaredAssets.length,
    findings: findings.slice(0, 20),
    declaredOrphans: declaredAssets.length,
    proofs: proofs.count,
    falseProofs: proofs.false.length,
  };
}
