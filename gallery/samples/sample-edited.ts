import { sampleWatch, type WatchScene } from './sample-watch.ts';

/** A rule whose change concerns what lies in its folder already. */
export function editedWatch(...of: Parameters<typeof sampleWatch>): WatchScene {
  const scene = sampleWatch(...of);
  if (!scene.dryRun.ok) return scene;
  const run = scene.dryRun.value;
  return { ...scene, dryRun: { ok: true, value: { ...run, newlyTaken: run.wouldBeTaken } } };
}
