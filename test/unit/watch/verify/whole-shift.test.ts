import { expect, it } from 'vitest';
import { keepsLocalTime, parseVolumeInfo } from '../../../../main/watch/folder/mounts.ts';
import { wholeShift } from '../../../../main/watch/verify/whole-shift.ts';
import { foundSource, rowOf } from '../found-sources.ts';

const hour = 3_600_000;
const shiftOf = (...shifts: readonly number[]) => {
  const rows = shifts.map((_, index) => rowOf(foundSource(`source ${index}`)));
  const found = shifts.map((by, index) => {
    const one = foundSource(`source ${index}`);
    return { ...one, newestMs: one.newestMs + by };
  });
  const find = (_: string, path: string) => rows.find((row) => row.path === path);
  return wholeShift('rule', [...found, foundSource('new')], { find });
};

it('is the hour by which every known source has moved, and nothing else', () => {
  expect(shiftOf(hour, hour, hour)).toBe(hour);
  expect(shiftOf(-hour, -hour)).toBe(-hour);
  expect(shiftOf(hour, 0)).toBe(0);
  expect(shiftOf(hour, -hour)).toBe(0);
  expect(shiftOf(hour + 1, hour + 1)).toBe(0);
  expect(shiftOf(hour, hour, 5)).toBe(0);
});

it('is not told by one source alone, or by none', () => {
  expect(shiftOf(hour)).toBe(0);
  expect(shiftOf()).toBe(0);
});

it('happens on drives that keep the time of the clock on the wall', () => {
  for (const type of ['vfat', 'msdos', 'exfat', 'FAT32']) expect(keepsLocalTime(type)).toBe(true);
  for (const type of ['ext4', 'ntfs', 'apfs', 'fuseblk']) expect(keepsLocalTime(type)).toBe(false);
  expect(parseVolumeInfo('Volumename : STICK\r\nDateisystemname : exFAT\r\nLese/Schreibzugriff\r\n')).toBe(
    'exFAT',
  );
  expect(parseVolumeInfo('File System Name : NTFS\r\nVolume Name : FAT chance\r\n')).toBeNull();
});
