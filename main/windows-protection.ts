/** Who can have written a file on Windows, or can put another in its place. Pure. */

/**
 * By SDDL's names and by their numbers: administrators (local, of domain and forest), the system, the
 * installer of Windows itself.
 */
const administrator =
  /^(?:BA|SY|LA|DA|EA|S-1-5-32-544|S-1-5-18|S-1-5-21-[\d-]+-(?:500|512|519)|S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)$/;
/** What an entry grants to the owner, who is one of those above. */
const owner = /^(?:OW|CO|S-1-3-4|S-1-3-0)$/;

/** Access rights by SDDL's letters ([MS-DTYP] 2.5.1.1), as the bits that they are of a file. */
const rightsByLetters: Readonly<Record<string, number>> = {
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
  RC: 0x2_0000,
  FR: 0x12_0089,
  FX: 0x12_00a0,
  GR: 0x12_0089,
  GX: 0x12_00a0,
};
const everything = 0xffff_ffff;
/** Reading and running. */
const harmlessOnFile = 0x12_00a9;
/**
 * Also making something new inside, which everyone may in what is in ProgramData, and which moves nothing
 * that is there.
 */
const harmlessOnFolder = harmlessOnFile | 0x116;

/**
 * Whether only administrators, and the user with the security identifier `user`, can write to a file or
 * replace what is in a folder. By owner and access list, as SDDL:
 * "O:BAG:SYD:AI(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)". What is not understood counts as a right to write, and no
 * list as one for everyone.
 */
export function isProtectedOnWindows(sddl: string, what: 'file' | 'folder', user?: string): boolean {
  const isTrusted = (identifier: string) => administrator.test(identifier) || identifier === user;
  const [, holder = ''] = /^O:([A-Z]{2}|S-[\d-]+)(?=[GDS]:)/.exec(sddl) ?? [];
  const [, list] = /D:[A-Z]*((?:\([^()]*\))+)(?=S:|$)/.exec(sddl) ?? [];
  if (!isTrusted(holder) || list === undefined) return false;
  const harmless = what === 'file' ? harmlessOnFile : harmlessOnFolder;
  return list
    .slice(1, -1)
    .split(')(')
    .every((entry) => {
      const [type, flags = '', rights = '', , , whom = ''] = entry.split(';');
      // What is refused, and what is only handed down to things inside, gives nobody anything here.
      if (type === 'D' || pairs(flags).includes('IO')) return true;
      if (type !== 'A') return false;
      return isTrusted(whom) || owner.test(whom) || (bitsOf(rights) & ~harmless) === 0;
    });
}

function bitsOf(rights: string): number {
  if (/^0x[\da-f]{1,8}$/i.test(rights)) return Number(rights);
  return pairs(rights).reduce((bits, letters) => bits | (rightsByLetters[letters] ?? everything), 0);
}

function pairs(letters: string): readonly string[] {
  return letters.match(/.{1,2}/g) ?? [];
}
