/**
 * `node scripts/on-project-node.mjs tools/icons/app-icon.ts`: makes the application's icons again from
 * `build/icon.svg`, for Linux, Windows and macOS, with the system's Chromium. To be run when the drawing
 * changes. electron-builder makes ICO and ICNS of one PNG too, but by a tool that it downloads while packing.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/setup/packages.mjs';
import { withDrawings } from './drawings.ts';
import { icnsFile, icnsSides, icoFile, type Picture } from './icon-files.ts';

const folder = join(root, 'build');
const sides = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];
/** What Windows shows at 100 % to 400 %, from lists to the desktop. */
const sidesForWindows = [16, 20, 24, 32, 40, 48, 64, 96, 128, 256];

/** The drawing keeps the free edge that macOS wants around its icons; elsewhere icons fill their square. */
const filled = 'viewBox="84 84 856 856"';

const drawing = await readFile(join(folder, 'icon.svg'), 'utf8');
const edgeless = drawing.replace(/viewBox="[^"]*"/, filled);
await mkdir(join(folder, 'icons'), { recursive: true });
await withDrawings(async (draw) => {
  const picture = async (svg: string, side: number): Promise<Picture> => {
    const png = await draw(svg, side);
    return { side, png, rgba: await sharp(png).ensureAlpha().raw().toBuffer() };
  };
  await writeFile(join(folder, 'icon.png'), await draw(drawing, 1024));
  for (const side of sides)
    await writeFile(join(folder, 'icons', `${side}x${side}.png`), await draw(edgeless, side));
  await writeFile(
    join(folder, 'icon.ico'),
    icoFile(await inTurn(sidesForWindows, (side) => picture(edgeless, side))),
  );
  await writeFile(
    join(folder, 'icon.icns'),
    icnsFile(await inTurn(icnsSides, (side) => picture(drawing, side))),
  );
});

async function inTurn<T>(of: readonly number[], make: (side: number) => Promise<T>): Promise<readonly T[]> {
  const made: T[] = [];
  for (const side of of) made.push(await make(side));
  return made;
}
