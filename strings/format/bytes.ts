import type { Voice } from '../say.ts';
import type { NumberFormats } from './number.ts';

/** Units above bytes, each a thousand times the previous one. */
const largerUnits = [
  'units.kilobytes',
  'units.megabytes',
  'units.gigabytes',
  'units.terabytes',
  'units.petabytes',
] as const;

/** The power of 1,000 that suits `bytes`; 0 for bytes themselves. Rounding never gives "1,000 kB". */
function unitFor(bytes: number): number {
  let unit = 0;
  while (unit < largerUnits.length && bytes >= 999.95 * 1000 ** unit) unit += 1;
  return unit === 1 && bytes < 1000 ? 0 : unit;
}

/** Sizes and speeds in decimal units, as disks and networks state them. */
export function byteFormats({ say, perSpeech }: Voice, { formatCount }: NumberFormats) {
  const oneDecimal = perSpeech(
    ({ locale }) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  );
  const roughly = perSpeech(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));

  const figure = (bytes: number, unit: number): string =>
    unit === 0 ? formatCount(bytes) : oneDecimal().format(bytes / 1000 ** unit);

  function withUnit(size: string, unit: number, bytes: number): string {
    const key = largerUnits[unit - 1];
    return key === undefined ? say('units.bytes', { count: bytes }) : say(key, { size });
  }

  /** `18600000000` → `18.6 GB`; `1` → `1 byte`. */
  function formatBytes(bytes: number): string {
    const unit = unitFor(bytes);
    return withUnit(figure(bytes, unit), unit, bytes);
  }

  return {
    formatBytes,
    /** Done and total in the total's unit: `11.7 of 18.6 GB`. */
    formatBytesOf: (bytesDone: number, total: number): string =>
      say('units.sizeOf', { done: figure(bytesDone, unitFor(total)), total: formatBytes(total) }),
    /** `41800000` → `41.8 MB/s`. */
    formatRate: (bytesPerSecond: number): string =>
      say('units.perSecond', { size: formatBytes(Math.round(bytesPerSecond)) }),
    /** Without false precision: `31000000` → `31 MB/s`, `2500000` → `2.5 MB/s`. */
    formatRoughRate(bytesPerSecond: number): string {
      const unit = unitFor(bytesPerSecond);
      const value = bytesPerSecond / 1000 ** unit;
      const size = value < 9.95 && unit > 0 ? roughly().format(value) : formatCount(Math.round(value));
      return say('units.perSecond', { size: withUnit(size, unit, Math.round(bytesPerSecond)) });
    },
    /** Speed with small files: `118.4` → `118 files/s`. */
    formatFileRate: (filesPerSecond: number): string =>
      say('units.filesPerSecond', { count: Math.max(1, Math.round(filesPerSecond)) }),
  };
}
