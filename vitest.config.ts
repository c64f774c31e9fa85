import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // For the stores, which hold runes.
  plugins: [svelte()],
  test: {
    include: [
      'test/unit/**/*.test.ts',
      'test/security/**/*.test.ts',
      'test/patterns/**/*.test.ts',
      'test/integration/**/*.test.ts',
      'test/service/**/*.test.ts',
      'test/network/**/*.test.ts',
      'test/interop/**/*.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    // Worker threads are started anew for each upload and look: what they are compiled to is kept.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'tilelift-compiled') },
    // A busy machine takes longer than the usual second.
    expect: { poll: { timeout: 20_000 } },
  },
});
