const key = 'palette-recent';
const maxKept = 20;

/** Ids of recent palette entries, latest first. Unreadable data counts as empty. */
export function recentEntries(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, maxKept) : [];
  } catch {
    return [];
  }
}

export function keepRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, id: string): void {
  const others = recentEntries(storage).filter((one) => one !== id);
  storage.setItem(key, JSON.stringify([id, ...others].slice(0, maxKept)));
}
