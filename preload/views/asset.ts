export type { AssetType } from '../../shared/assets.ts';

export interface AssetView {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly bytes: number;
  readonly dateAdded: string;
  readonly status: string;
  readonly percentComplete: number;
}
