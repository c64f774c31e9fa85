import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { type HouseOptions, openWatchHouse, type WatchHouse } from '../integration/watch/house.ts';
import type { SaidSource } from '../said.ts';
import { tiff } from './data.ts';

/** One kind of delivery: a row of docs/reference/deliveries.md, and its test. */
export interface Delivery {
  readonly comes: string;
  readonly becomes: string;
  readonly rule?: Partial<WatchRule>;
  readonly house?: HouseOptions;
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
  readonly house: WatchHouse;
  readonly rule: WatchRule;
  /** Absolute path. */
  at(name: string): string;
  write(files: Readonly<Record<string, string | Uint8Array | number>>): Promise<void>;
  /** Sets the modification time of files in the watched folder, ms since the epoch. */
  setTime(timeMs: number, ...names: readonly string[]): Promise<void>;
  /** Waits for a complete scan that begins after this call. */
  lookThrough(): Promise<void>;
  untilSource(path: string, fits: (source: SaidSource) => boolean): Promise<SaidSource>;
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
      async (_, __, { rule, house: options, before = {}, play }) => {
        const house = await openWatchHouse(options);
        try {
          await house.write(before);
          await play(await sceneOf(house, rule));
        } finally {
          await house.close();
        }
      },
    );
  });
}

const until = (holds: () => void | Promise<void>) => vi.waitFor(holds, { timeout: 45_000, interval: 50 });

/** The last delivery, which every rule of these tests accepts as a source. */
const witness = 'zz-last';

async function sceneOf(house: WatchHouse, change: Partial<WatchRule> = {}): Promise<Scene> {
  const rule = await house.rule(change, false);
  const at = (name: string) => join(house.incoming, name);
  const lastLookAt = () => house.watch.rules().find((one) => one.rule.id === rule.id)?.lastLookAt ?? 0;
  const lookThrough = async () => {
    // Twice, because the first scan may have begun before.
    for (let look = 0; look < 2; look++) {
      const before = lastLookAt();
      house.watch.lookAgain('the test');
      await until(() => expect(lastLookAt()).toBeGreaterThan(before));
    }
  };
  return {
    house,
    rule,
    at,
    write: house.write,
    setTime: async (timeMs, ...names) => {
      for (const name of names) await utimes(at(name), timeMs / 1_000, timeMs / 1_000);
    },
    lookThrough,
    untilSource: (path, fits) => house.untilSource(rule, path, fits),
    untilComplete: async (path) => void (await house.untilComplete(rule, path)),
    expectAssets: async (assets) => {
      const wanted = assets.map(([name, keys]) => `${name}: ${[...keys].sort().join(', ')}`).sort();
      await until(async () => expect(await completeAssets(house)).toEqual(wanted));
      await lookThrough();
      const unit = house.watch.rules().find((one) => one.rule.id === rule.id)?.rule.unit.kind;
      if (unit !== 'entries') return;
      const isOfRasters = rule.kindFrom === 'content' || rule.sourceType.startsWith('RASTER');
      const last = isOfRasters ? 'a.tif' : 'a.jpg';
      await house.write({ [`${witness}/${last}`]: isOfRasters ? tiff() : 10 });
      await house.untilComplete(rule, witness);
      expect(await completeAssets(house)).toEqual([...wanted, `${witness}: ${last}`].sort());
      expect(house.assets()).toHaveLength(wanted.length + 1);
    },
  };
}

async function completeAssets({ service: { control } }: WatchHouse): Promise<readonly string[]> {
  const complete = control.assets().filter(({ status }) => status === 'COMPLETE');
  const said = complete.map(async ({ id, name }) => {
    const prefix = `sources/${id}/`;
    const keys = (await control.objects(prefix)).map(({ key }) => key.slice(prefix.length));
    return `${name}: ${keys.sort().join(', ')}`;
  });
  return (await Promise.all(said)).sort();
}
