/**
 * `node scripts/on-project-node.mjs tools/icons/app-icon.ts`: renders the application's icons from
 * `build/icon.svg` with the system's Chromium. Run it after the drawing changes. electron-builder could
 * convert a PNG, but only with a tool that it downloads.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/setup/packages.mjs';
import { withDrawings } from './drawings.ts';
import { icnsFile, icnsSides, icoFile, type Picture } from './icon-files.ts';

const folder = join(root, 'build');
const sides = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];
/** Windows shows these at 100 % to 400 %, in lists and on the desktop. */
const sidesForWindows = [16, 20, 24, 32, 40, 48, 64, 96, 128, 256];

/** Crops the margin of the drawing, which only macOS icons have. */
const croppedViewBox = 'viewBox="84 84 856 856"';

const drawing = await readFile(join(folder, 'icon.svg'), 'utf8');
const edgeless = drawing.replace(/viewBox="[^"]*"/, croppedViewBox);
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

async function inTurn<T>(
  sides: readonly number[],
  makePicture: (side: number) => Promise<T>,
): Promise<readonly T[]> {
  const pictures: T[] = [];
  for (const side of sides) pictures.push(await makePicture(side));
  return pictures;
}
