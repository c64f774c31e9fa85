const filler = Buffer.alloc(5_000, 7);
const joinBuffers = (...parts: readonly Buffer[]) => Buffer.concat(parts);

/** @param disk number of preceding volumes */
function zipEnd(disk: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(disk, 4);
  return end;
}

/** The start header of a 7z archive of this length. */
export function sevenZip(wholeSize: number): Buffer {
  const head = Buffer.alloc(32);
  head.write('377abcaf271c', 'hex');
  head.writeBigUInt64LE(BigInt(wholeSize - 32 - 10), 12);
  head.writeBigUInt64LE(10n, 20);
  return head;
}

const rarHead = Buffer.from('526172211a070100', 'hex');
const oldRarHead = Buffer.from('526172211a0700', 'hex');
const rarEnd = (isMore: boolean) => Buffer.from([0x1d, 0x77, 0x56, 0x51, 3, 5, 4, isMore ? 1 : 0]);
const oldRarEnd = (isMore: boolean) => Buffer.from([0xc4, 0x3d, 0x7b, isMore ? 1 : 0, 0x40, 7, 0]);

interface SplitArchive {
  /** The file that opens it. */
  readonly primary: string;
  readonly present: Readonly<Record<string, Buffer>>;
  /** The missing last volume. */
  readonly next: string;
  readonly last: Buffer;
}

/** Split archives whose end tells that a volume is missing. */
export const splitArchives: readonly SplitArchive[] = [
  {
    primary: 'a.zip.001',
    present: { 'a.zip.001': Buffer.from('PK\x03\x04'), 'a.zip.002': filler },
    next: 'a.zip.003',
    last: joinBuffers(filler, zipEnd(0)),
  },
  {
    primary: 'a.7z.001',
    present: { 'a.7z.001': sevenZip(5_042), 'a.7z.002': Buffer.alloc(10) },
    next: 'a.7z.003',
    last: filler,
  },
  {
    primary: 'a.zip',
    present: { 'a.z01': filler, 'a.zip': joinBuffers(filler, zipEnd(2)) },
    next: 'a.z02',
    last: filler,
  },
  {
    primary: 'a.part1.rar',
    present: { 'a.part1.rar': joinBuffers(rarHead, filler, rarEnd(true)) },
    next: 'a.part2.rar',
    last: joinBuffers(rarHead, filler, rarEnd(false)),
  },
  {
    primary: 'a.rar',
    present: {
      'a.rar': joinBuffers(oldRarHead, filler, oldRarEnd(true)),
      'a.r00': joinBuffers(oldRarHead, filler, oldRarEnd(true)),
    },
    next: 'a.r01',
    last: joinBuffers(oldRarHead, filler, oldRarEnd(false)),
  },
];
