import { networkInterfaces } from 'node:os';

/**
 * Electron gives the main process no event for it, so it is checked. A check takes a fraction of a
 * millisecond.
 */
const lookMs = 10_000;

/**
 * Calls `onChange` when the addresses of this computer have changed: it is in another network, or back in
 * one. Returns an unsubscribe function.
 */
export function watchNetwork(onChange: () => void, interfaces = networkInterfaces): () => void {
  let known = addressesOf(interfaces());
  const timer = setInterval(() => {
    const found = addressesOf(interfaces());
    if (found === known) return;
    known = found;
    onChange();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Those that others can reach, in one order. */
function addressesOf(interfaces: ReturnType<typeof networkInterfaces>): string {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(' ');
}
