import { posix } from 'node:path';
import { namesIn } from '../../../main/inspect/headers/file-references.ts';
import type { InspectionTask } from '../../../main/inspect/headers/inspection-tasks.ts';
import {
  beginningLength,
  hasExpectedContent,
  mayBring,
} from '../../../main/inspect/together/allowed-files.ts';
import { createReferences } from '../../../main/inspect/together/references.ts';
import { Escape, type Target } from '../target.ts';

/** Extensions of documents and of their allowed companions, deliberately repeated here. */
const allowedContent: Readonly<Record<string, RegExp>> = {
  obj: /\.mtl$/i,
  mtl: /\.(?:png|jpe?g|gif|bmp|tiff?|webp|tga|dds|ktx2)$/i,
  gltf: /\.(?:png|jpe?g|gif|bmp|tiff?|webp|tga|dds|ktx2|bin)$/i,
  dae: /\.(?:png|jpe?g|gif|bmp|tiff?|webp|tga|dds|ktx2)$/i,
  kml: /\.(?:png|jpe?g|gif|bmp|tiff?|webp|tga|dds|ktx2|dae|km[lz])$/i,
  vrt: /\.(?:tiff?|png|jpe?g|gif|bmp|webp|jp2|j2k|img|asc|dt[012]|nc|flt|bil|bip|bsq|hgt|vrt)$/i,
  '3mx': /\.3mxb$/i,
  json: /^$/,
};

/** Documents in the root folder, which companions must not leave, and below it. */
const places = ['m', 'in/deep/m'];

const broughtAlong: Target = {
  name: 'brought-along',
  seeds: [
    '{"images":[{"uri":".ssh/id_ed25519"},{"uri":"tex/%2e%2e/%2e%2e/x.png"},{"uri":"a.png"},{"uri":"/etc/passwd"}]}',
    'mtllib id_rsa\nmtllib .ssh/a.mtl\nmtllib ../a.mtl\nmtllib a.mtl\n',
    'newmtl a\nmap_Kd .hidden/x.png\nmap_Ks C:\\Users\\anna\\x.png\nmap_Ka tex\\a.png\n',
    '<kml><href>.netrc</href><href>private/tax.pdf</href><href>files/a.png#x</href></kml>',
    '<VRTDataset><SourceFilename relativeToVRT="1">passwords.kdbx</SourceFilename></VRTDataset>',
    '<library_images><init_from>./.x.png</init_from><init_from>a//b.png</init_from></library_images>',
    '{"layers":[{"root":"Data/.a.3mxb"},{"root":"Data/a.3mxb"}]}',
  ],
  words: [
    '../',
    '..\\',
    '/.',
    '%2e',
    '%2f',
    '.png',
    '.bin',
    '.mtl',
    '\\',
    '//',
    '\0',
    '.ssh/',
    'file:///',
    ' ',
  ],
  run: async (input) => {
    let count = 0;
    for (const [extension, endings] of Object.entries(allowedContent)) {
      const ask = async ({ kind }: InspectionTask): Promise<unknown> =>
        kind === 'names' ? namesIn(`m.${extension}`, input.length, input) : null;
      const thread = { ask: ask as never, close: () => {} };
      for (const use of ['dropped', 'watched'] as const) {
        for (const folder of places) {
          const place = `${folder}.${extension}`;
          const file = { path: `/home/${place}`, place, size: input.length, mtimeMs: 0 };
          for (const name of await createReferences(thread, use).read(file)) {
            const isInside = posix.normalize(name) === name && !/^(?:\/|\.\.(?:\/|$))/.test(name);
            const isHidden = /(?:^|\/)\./.test(name);
            if (!isInside || isHidden || !endings.test(name) || !mayBring(place, name))
              throw new Escape(`${place} brings ${name}`);
            count += 1;
          }
        }
      }
    }
    return `${Math.min(count, 9)}`;
  },
};

/** Printable text, such as keys and passwords, isn't accepted as an image, buffer, archive or database. */
const broughtText: Target = {
  name: 'brought-text',
  seeds: [
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n',
    'BM notes',
    'II* MM*',
    'machine a login b',
  ],
  words: ['newmtl ', '#', '\n', '<kml>', 'PK', 'II*', 'BM', 'RIFF', 'WEBP', 'fgb', 'CDF', '0'],
  run: (input) => {
    const acceptedExtensions = ['png', 'tga', 'bin', 'flt', 'tif', 'bmp', 'gpkg', 'fgb', 'kmz', 'nc'].filter(
      (extension) => hasExpectedContent(`a.${extension}`, input.subarray(0, beginningLength)),
    );
    const text = input.toString('latin1');
    const isPrivate = /^[\x20-\x7e\n]*$/.test(text) && !/^(?:GIF8[79]a|DDS |RIFF.{4}WEBP)/s.test(text);
    if (isPrivate && acceptedExtensions.length > 0)
      throw new Escape(`text passes as ${acceptedExtensions.join()}`);
    return acceptedExtensions.join();
  },
};

export const broughtTargets: readonly Target[] = [broughtAlong, broughtText];
