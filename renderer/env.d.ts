interface Window {
  readonly tilelift: import('../preload/contract.ts').TileliftBridge;
}

/** See `scripts/package/towns.mjs`. */
declare module 'virtual:towns' {
  export const townLines: string;
}
