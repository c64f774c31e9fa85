export const knownCycles = [];
