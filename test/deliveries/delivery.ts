import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../integration/watch/fixture.ts';
import type { SaidSource } from '../said.ts';
import { tiff } from './data.ts';

/** One kind of delivery: a row of docs/reference/deliveries.md, and its test. */
export interface Delivery {
  readonly comes: string;
  readonly becomes: string;
  readonly rule?: Partial<WatchRule>;
  readonly fixture?: FixtureOptions;
  /** Files that exist before the rule and aren't uploaded. Default: none. */
  readonly before?: Readonly<Record<string, Uint8Array>>;
  readonly play: (scene: Scene) => Promise<void>;
}

/** Rows that belong together. */
export interface Group {
  readonly title: string;
  readonly deliveries: readonly Delivery[];
}

/** A watched folder and its rule. */
export interface Scene {
  readonly fixture: WatchFixture;
  readonly rule: WatchRule;
  /** Absolute path. */
  at(name: string): string;
  write(files: Readonly<Record<string, string | Uint8Array | number>>): Promise<void>;
  /** Sets the modification time of files in the watched folder, ms since the epoch. */
  setTime(timeMs: number, ...names: readonly string[]): Promise<void>;
  /** Waits for a complete scan that begins after this call. */
  scanAll(): Promise<void>;
  untilSource(path: string, isMatch: (source: SaidSource) => boolean): Promise<SaidSource>;
  untilComplete(path: string): Promise<void>;
  /**
   * Waits until the complete assets hold exactly these files, by asset name and key. Then rescans and
   * delivers another file, to verify that no further asset appears.
   */
  expectAssets(assets: readonly (readonly [name: string, keys: readonly string[]])[]): Promise<void>;
}

/** Tests of a group, one per row. */
export function showDeliveries({ title, deliveries }: Group): void {
  describe(title, { timeout: 90_000 }, () => {
    it.concurrent.each(deliveries.map((delivery) => [delivery.comes, delivery.becomes, delivery] as const))(
      '%s: %s',
      async (_, __, { rule, fixture: options, before: filesBefore = {}, play }) => {
        const fixture = await openWatchFixture(options);
        try {
          await fixture.write(filesBefore);
          await play(await sceneOf(fixture, rule));
        } finally {
          await fixture.close();
        }
      },
    );
  });
}

const waitUntil = (holds: () => void | Promise<void>) => vi.waitFor(holds, { timeout: 45_000, interval: 50 });

/** The last delivery, which every rule of these tests accepts as a source. */
const witness = 'zz-last';

async function sceneOf(fixture: WatchFixture, change: Partial<WatchRule> = {}): Promise<Scene> {
  const rule = await fixture.rule(change, false);
  const at = (name: string) => join(fixture.incoming, name);
  const lastLookAt = () => fixture.watch.rules().find((view) => view.rule.id === rule.id)?.lastLookAt ?? 0;
  const scanAll = async () => {
    // Twice, because the first scan may have begun before.
    for (let count = 0; count < 2; count++) {
      const scannedBefore = lastLookAt();
      fixture.watch.rescanAll('the test');
      await waitUntil(() => expect(lastLookAt()).toBeGreaterThan(scannedBefore));
    }
  };
  return {
    fixture,
    rule,
    at,
    write: fixture.write,
    setTime: async (timeMs, ...names) => {
      for (const name of names) await utimes(at(name), timeMs / 1_000, timeMs / 1_000);
    },
    scanAll,
    untilSource: (path, isMatch) => fixture.untilSource(rule, path, isMatch),
    untilComplete: async (path) => void (await fixture.untilComplete(rule, path)),
    expectAssets: async (assets) => {
      const wantedAssets = assets.map(([name, keys]) => `${name}: ${[...keys].sort().join(', ')}`).sort();
      await waitUntil(async () => expect(await completeAssets(fixture)).toEqual(wantedAssets));
      await scanAll();
      const unit = fixture.watch.rules().find((view) => view.rule.id === rule.id)?.rule.unit.kind;
      if (unit !== 'entries') return;
      const isOfRasters = rule.kindFrom === 'content' || rule.sourceType.startsWith('RASTER');
      const lastName = isOfRasters ? 'a.tif' : 'a.jpg';
      await fixture.write({ [`${witness}/${lastName}`]: isOfRasters ? tiff() : 10 });
      await fixture.untilComplete(rule, witness);
      expect(await completeAssets(fixture)).toEqual([...wantedAssets, `${witness}: ${lastName}`].sort());
      expect(fixture.assets()).toHaveLength(wantedAssets.length + 1);
    },
  };
}

async function completeAssets({ service: { control } }: WatchFixture): Promise<readonly string[]> {
  const complete = control.assets().filter(({ status }) => status === 'COMPLETE');
  const assetTexts = complete.map(async ({ id, name }) => {
    const prefix = `sources/${id}/`;
    const keys = (await control.objects(prefix)).map(({ key }) => key.slice(prefix.length));
    return `${name}: ${keys.sort().join(', ')}`;
  });
  return (await Promise.all(assetTexts)).sort();
}
