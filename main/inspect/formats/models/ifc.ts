import { openMember } from '../archives/members.ts';
import { type ZipHead, zipEnd, zipEntries } from '../archives/zip.ts';
import { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { stepEnd } from '../base/texts.ts';
import {
  type Corners,
  cornersOfBox,
  type NamedSystem,
  noSystem,
  systemOfSrsName,
} from '../systems/coordinate-system.ts';

/** The georeference of a building model (IFC 2x3 and 4, ISO 16739). */
export interface IfcHead extends NamedSystem {
  readonly kind: 'ifc';
  /** Metres per length unit. */
  readonly lengthUnit?: number;
  readonly corners?: Corners;
  /** Only of files read whole. */
  readonly isUnplaced: boolean;
}

/** ISO 10303-21. */
const stepSignature = 'ISO-10303-21';
/** Bytes; longer files are read at both ends. */
const maxFileLength = 16 * 1024 * 1024;
const partLength = 128 * 1024;
/** Metres; larger coordinates are in the model's unit. */
const maxMetres = 50_000_000;

/** STEP physical files (ISO 10303-21). */
export async function readIfc(file: FileBytes): Promise<Opened<IfcHead>> {
  if (!(await file.startsWith(stepSignature))) return { head: null, end: stepEnd, degree: 'end-only' };
  const wholeFile = await file.readWhole(maxFileLength);
  const texts = wholeFile ? [wholeFile] : [await file.readStart(partLength), await file.readEnd(partLength)];
  return {
    head: headOf(texts.map((bytes) => bytes.toString('latin1')).join('\n'), wholeFile !== null),
    end: stepEnd,
    ...(wholeFile === null && { degree: 'limit' as const }),
  };
}

/** ifcZIP: reads the model up to the same size. */
export async function readIfcZip(file: FileBytes): Promise<Opened<IfcHead | ZipHead>> {
  const unreadable = { head: null, end: zipEnd, degree: 'names-only' } as const;
  const bytes = (await file.startsWith('PK\x03\x04')) ? await file.readWhole(maxFileLength) : null;
  if (bytes === null) return unreadable;
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const entries = await zipEntries(new FileBytes(bytes.length, read, 2 * maxFileLength));
  const entry = entries.find(({ name }) => /\.ifc$/i.test(name)) ?? entries[0];
  const member = entry ? await openMember(read, bytes.length, entry, maxFileLength) : null;
  if (member === 'damaged') return { ...unreadable, head: { kind: 'zip', traits: ['damaged'], methods: [] } };
  if (member === null || member.readable < member.size) return unreadable;
  const text = (await member.read(0, member.size)).toString('latin1');
  return text.startsWith(stepSignature) ? { head: headOf(text, true), end: zipEnd } : unreadable;
}

function headOf(text: string, isWhole: boolean): IfcHead {
  const lengthUnit = lengthUnitIn(text);
  const location = mappedPlace(text, lengthUnit ?? 1) ?? sitePlace(text);
  // IFC 2x3 uses property sets, which aren't read.
  const isUnplaced = isWhole && !location && !/ePSet_(?:MapConversion|ProjectedCRS)/i.test(text);
  return {
    ...{ kind: 'ifc', ...noSystem, ...location, isUnplaced },
    ...(lengthUnit !== null && { lengthUnit }),
  };
}

type IfcPlace = NamedSystem & Pick<IfcHead, 'corners'>;

/** `IfcProjectedCRS` names the system, `IfcMapConversion` its origin. */
function mappedPlace(text: string, lengthUnit: number): IfcPlace | null {
  const [name = '', , , heights = ''] = argumentsOf(text, 'IFCPROJECTEDCRS') ?? [];
  const system = systemOfSrsName(quotedText(name));
  if (system.system === null) return null;
  const vertical = system.vertical ?? (quotedText(heights) || null);
  const [east = Number.NaN, north = Number.NaN] = (argumentsOf(text, 'IFCMAPCONVERSION') ?? [])
    .slice(2, 4)
    .map(parseNumber)
    .map((value) => (Math.abs(value) > maxMetres ? value * lengthUnit : value));
  const corners = cornersOfBox(east, north, east, north);
  return { system: system.system, vertical, ...(corners && { corners }) };
}

/** `IfcSite`: degrees, minutes, seconds, millionths; 0 or absent if never set. */
function sitePlace(text: string): IfcPlace | null {
  const [latitude, longitude] = (argumentsOf(text, 'IFCSITE') ?? []).slice(9, 11).map(parseAngle);
  if (!latitude || !longitude || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  const corners = cornersOfBox(longitude, latitude, longitude, latitude);
  return corners && { system: 'EPSG:4326', vertical: null, corners };
}

function parseAngle(numberText: string): number {
  const [degrees = Number.NaN, minutes = 0, seconds = 0, millionths = 0] = numberText
    .replace(/[()]/g, '')
    .split(',')
    .map(parseNumber);
  return degrees + minutes / 60 + (seconds + millionths / 1e6) / 3_600;
}

const prefixes: ReadonlyMap<string, number> = new Map([
  ['$', 1],
  ['.MILLI.', 0.001],
  ['.CENTI.', 0.01],
  ['.DECI.', 0.1],
  ['.KILO.', 1_000],
]);
/** Metres. */
const feetAndInches: ReadonlyMap<string, number> = new Map([
  ['FOOT', 0.3048],
  ['FEET', 0.3048],
  ['INCH', 0.0254],
]);

/** Metres per length unit. Conversions (such as feet) override their base unit. */
function lengthUnitIn(text: string): number | null {
  for (const values of allArguments(text, 'IFCCONVERSIONBASEDUNIT'))
    if (values[1] === '.LENGTHUNIT.')
      return feetAndInches.get(quotedText(values[2] ?? '').toUpperCase()) ?? null;
  for (const [, kind, prefix = '', name] of allArguments(text, 'IFCSIUNIT'))
    if (kind === '.LENGTHUNIT.' && name === '.METRE.') return prefixes.get(prefix) ?? null;
  return null;
}

const parseNumber = (numberText: string): number =>
  numberText.trim() === '' ? Number.NaN : Number(numberText);

const quotedText = (value: string): string => /^'(.*)'$/s.exec(value)?.[1]?.trim() ?? '';

/** Characters; longer lists are of other entities. */
const maxListLength = 4_096;
const maxEntities = 64;

const argumentsOf = (text: string, entity: string): readonly string[] | null =>
  allArguments(text, entity).next().value ?? null;

function* allArguments(text: string, entity: string): Generator<readonly string[], undefined> {
  for (const opening of [`=${entity}(`, `= ${entity}(`]) {
    let count = 0;
    for (
      let entityOffset = text.indexOf(opening);
      entityOffset >= 0;
      entityOffset = text.indexOf(opening, entityOffset + 1)
    ) {
      const values = parseList(
        text.slice(entityOffset + opening.length, entityOffset + opening.length + maxListLength),
      );
      if (values) yield values;
      if (++count >= maxEntities) break;
    }
  }
}

function parseList(text: string): readonly string[] | null {
  const values: string[] = [];
  let [valueStart, nesting, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') nesting++;
    if ((character === ',' || character === ')') && nesting === 0) {
      values.push(text.slice(valueStart, index).trim());
      valueStart = index + 1;
      if (character === ')') return values;
    }
    if (character === ')') nesting--;
  }
  return null;
}
