import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size, Theme } from '../../test/gallery/gallery.ts';

export interface Picture {
  /** `screen/state` */
  readonly name: string;
  readonly theme: Theme;
  readonly size: Size;
  /** Relative to the folder of all pictures. */
  readonly file: string;
}

/** Writes `index.html`: the pictures of each state side by side. */
export async function writeContactSheet(folder: string, pictures: readonly Picture[]): Promise<void> {
  const names = [...new Set(pictures.map(({ name }) => name))];
  const sections = names.map((name) => {
    const images = pictures
      .filter((picture) => picture.name === name)
      .map(
        ({ file, theme, size }) =>
          `<a href="${file}"><img src="${file}" alt="${theme}, ${size.width}×${size.height}" loading="lazy"></a>`,
      );
    return `<h2 id="${name}">${name}</h2>\n<div>${images.join('')}</div>`;
  });
  await writeFile(join(folder, 'index.html'), `${head}\n${sections.join('\n')}\n`);
}

const head = `<!doctype html>
<meta charset="utf-8">
<title>Tilelift, every state of every screen</title>
<style>
  body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; background: #8884 }
  h2 { margin: 24px 0 8px; font-size: 15px }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  img { width: 440px; border-radius: 6px; display: block }
</style>`;
