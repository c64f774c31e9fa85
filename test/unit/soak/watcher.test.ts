import { expect, it } from 'vitest';
import { Watcher } from '../../../tools/soak/watcher.ts';

it('a watcher that ends early is an error', async () => {
  const input = { folder: '', baseUrl: 'no address', authUrl: '', rules: [], takeExisting: false };
  const watcher = new Watcher(input, 'no key');
  await expect(watcher.watching()).rejects.toThrow('ended by itself');
});
