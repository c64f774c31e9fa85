import { furtherOptions } from '../../service/creation-options.ts';

/** Options of the tiling that mean something for some kinds only (service facts, "Options seen"); any other goes with every kind. */
const sourceTypesOf: Readonly<Record<string, readonly string[]>> = {
  inputCrs: ['POINT_CLOUD', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
  textureFormat: ['CITYGML', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD', 'KML'],
  instancing: ['3D_MODEL', 'BIM_CAD'],
  position: ['3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
};

/** Of further options, as text, those that fit the kind. */
export function fittingOptions(options: string, sourceType: string): string {
  const fitting = Object.entries(furtherOptions(options)).filter(([name]) => {
    const kinds = Object.hasOwn(sourceTypesOf, name) ? sourceTypesOf[name] : undefined;
    return kinds === undefined || kinds.includes(sourceType);
  });
  return JSON.stringify(Object.fromEntries(fitting));
}
