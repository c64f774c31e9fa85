import { inject } from 'vitest';

// Setup file: moves this worker to its own desktop session (`desktop-sessions.ts`).
Object.assign(process.env, inject('desktopSessions')[Number(process.env.VITEST_POOL_ID) - 1]);
