import type { TileliftBridge } from '../preload/contract.ts';

declare global {
  interface Window {
    readonly tilelift: TileliftBridge;
  }
}
