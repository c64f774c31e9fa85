import { beforeEach, expect, it, vi } from 'vitest';

const clipboard = vi.hoisted(() => ({ writeText: vi.fn() }));
vi.mock('electron', () => ({ clipboard, dialog: {} }));

import { sourceHandlers } from '../../../../../main/ipc/handlers/source/source-handlers.ts';

beforeEach(() => clipboard.writeText.mockReset());
const handlers = sourceHandlers({ tilelift: {} } as never, () => 'an account');

it('S73: copied texts contain one line per name, without control characters', async () => {
  await handlers['source.copyNames'](['a.tif', 'b\u001b[201~\ntouch PWNED\r\n\t\u009b\u2028\u202e.tif']);
  const [[text = ''] = []] = clipboard.writeText.mock.calls;
  expect(text.split('\n')).toEqual(['a.tif', expect.stringMatching(/^b.+touch PWNED.+\.tif$/)]);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
});

it('copied texts quote names in commands', async () => {
  await handlers['source.copyCommand']({ fileName: 'a {in} b.gpkg', commandIndex: 0 });
  const [[command = ''] = []] = clipboard.writeText.mock.calls;
  expect(command).toMatch(
    /^ogr2ogr -f GeoJSON -t_srs EPSG:4326 (["'])a \{in\} b\.geojson\1 (["'])a \{in\} b\.gpkg\2$/,
  );
});
