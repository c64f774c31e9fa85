/** Sizes and speeds in decimal units, as disks and networks are sold. */

import { formatCount } from './number.ts';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const space = '\u00a0';

/** Index of the unit in which `bytes` reads best; rounding never yields "1,000 kB". */
function unitFor(bytes: number): number {
  let unit = 0;
  while (unit < units.length - 1 && bytes >= 999.95 * 1000 ** unit) unit += 1;
  return unit === 1 && bytes < 1000 ? 0 : unit;
}

function figure(bytes: number, unit: number): string {
  if (unit === 0) return formatCount(bytes);
  return (bytes / 1000 ** unit).toFixed(1);
}

/** `18600000000` → `18.6 GB`; `1` → `1 byte`. */
export function formatBytes(bytes: number): string {
  const unit = unitFor(bytes);
  const name = unit === 0 && bytes === 1 ? 'byte' : units[unit];
  return `${figure(bytes, unit)}${space}${name}`;
}

/** Done and total in the total's unit: `11.7 of 18.6 GB`. */
export function formatBytesOf(done: number, total: number): string {
  const unit = unitFor(total);
  return `${figure(done, unit)} of ${formatBytes(total)}`;
}

/** `41800000` → `41.8 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(Math.round(bytesPerSecond))}/s`;
}

/** Without false precision: `31000000` → `31 MB/s`, `2500000` → `2.5 MB/s`. */
export function formatRoughRate(bytesPerSecond: number): string {
  const unit = unitFor(bytesPerSecond);
  const value = bytesPerSecond / 1000 ** unit;
  const digits =
    value < 9.95 && unit > 0 ? value.toFixed(1).replace(/\.0$/, '') : formatCount(Math.round(value));
  return `${digits}${space}${units[unit]}/s`;
}
