import { networkInterfaces } from 'node:os';

/** Electron has no event for it; a check takes less than a millisecond. */
const checkIntervalMs = 10_000;

/** Returns an unsubscribe function. */
export function watchNetwork(onChange: () => void, interfaces = networkInterfaces): () => void {
  let knownAddresses = addressesOf(interfaces());
  const timer = setInterval(() => {
    const currentAddresses = addressesOf(interfaces());
    if (currentAddresses === knownAddresses) return;
    knownAddresses = currentAddresses;
    onChange();
  }, checkIntervalMs).unref();
  return () => clearInterval(timer);
}

/** External addresses, sorted. */
function addressesOf(interfaces: ReturnType<typeof networkInterfaces>): string {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(' ');
}
