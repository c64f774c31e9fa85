import { xmlTags } from './xml-tags.ts';

const colladaTags = new Set(['library_images', 'init_from', 'ref']);
const libraryEnd = '</library_images';
const libraryBegin = '<library_images';

/**
 * COLLADA 1.4 `<image><init_from>`, 1.5 `<init_from><ref>`; elsewhere `init_from` holds ids. A text that
 * closes a library without opening it starts inside it.
 */
export function imagesInCollada(text: string): readonly string[] {
  const [libraryStart, libraryClose] = [text.indexOf(libraryBegin), text.indexOf(libraryEnd)];
  let isInsideLibrary = libraryClose !== -1 && (libraryStart === -1 || libraryClose < libraryStart);
  const names: string[] = [];
  for (const tag of xmlTags(text, colladaTags)) {
    if (tag.name === 'library_images') isInsideLibrary = tag.kind === 'open' && !tag.attributes.endsWith('/');
    else if (isInsideLibrary && tag.kind === 'open') names.push(...decodedUri(tag.text));
  }
  return names;
}

const kmlTags = new Set(['href', 'targetHref']);

/**
 * OGC KML 2.3: pictures of icons and overlays, models, linked documents, and replacements in a `ResourceMap`.
 */
export function hrefsInKml(text: string): readonly string[] {
  return textsOf(text, kmlTags).flatMap((href) => decodedUri(href.replace(/[?#].*$/s, '')));
}

const imageUriTags = new Set(['imageURI']);

/** CityGML 2.0 and 3.0, module Appearance: `app:imageURI`. */
export const imagesInCityGml = (text: string): readonly string[] =>
  textsOf(text, imageUriTags).flatMap(decodedUri);

/** City models may end in `.xml`; the beginning identifies them. */
export const isCityGml = (text: string): boolean => text.includes('opengis.net/citygml/');

const vrtTags = new Set(['SourceFilename', 'SrcDataSource']);

/** GDAL raster and vector VRT: only names relative to the file. Others depend on the working folder. */
export function sourcesInVrt(text: string): readonly string[] {
  const names: string[] = [];
  for (const tag of xmlTags(text, vrtTags)) {
    if (tag.kind !== 'open') continue;
    if (/\brelativeToVRT\s{0,9}=\s{0,9}["'](?:1|yes|true)["']/i.test(tag.attributes)) names.push(tag.text);
  }
  return names;
}

const gtiTags = new Set(['IndexDataset']);

/** GDAL raster tile index (XML): the index file. */
export const indexInGti = (text: string): readonly string[] => textsOf(text, gtiTags);

function textsOf(text: string, tagNames: ReadonlySet<string>): readonly string[] {
  const texts: string[] = [];
  for (const tag of xmlTags(text, tagNames)) if (tag.kind === 'open') texts.push(tag.text);
  return texts;
}

/** URIs encode spaces as `%20`. */
function decodedUri(uri: string): readonly string[] {
  if (uri === '') return [];
  try {
    return [decodeURIComponent(uri)];
  } catch {
    return [uri];
  }
}
