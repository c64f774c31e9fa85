import { townLines } from 'virtual:towns';
import text from 'world-atlas/countries-50m.json?raw';
import { type Atlas, readAtlas } from './atlas.ts';

let loadedAtlas: Atlas | undefined;

/** The built-in world, loaded once: land, borders and countries at 1:50 million, and towns. */
export function loadWorld(): Atlas {
  loadedAtlas ??= readAtlas(text, townLines);
  return loadedAtlas;
}
