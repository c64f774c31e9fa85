const key = 'palette-recent';
const maxKept = 20;

/** Ids of recent palette entries, latest first. Unreadable data counts as empty. */
export function recentEntries(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const storedIds: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Array.isArray(storedIds) ? storedIds.filter((id) => typeof id === 'string').slice(0, maxKept) : [];
  } catch {
    return [];
  }
}

export function keepRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, id: string): void {
  const remaining = recentEntries(storage).filter((entry) => entry !== id);
  storage.setItem(key, JSON.stringify([id, ...remaining].slice(0, maxKept)));
}
