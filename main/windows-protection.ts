/** Pure. */

/** Administrators (local, domain, forest), the system and TrustedInstaller. */
const administrator =
  /^(?:BA|SY|LA|DA|EA|S-1-5-32-544|S-1-5-18|S-1-5-21-[\d-]+-(?:500|512|519)|S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)$/;
/** The owner is one of the above. */
const owner = /^(?:OW|CO|S-1-3-4|S-1-3-0)$/;

/** SDDL letters ([MS-DTYP] 2.5.1.1) as bits. */
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
/** Read and execute. */
const harmlessOnFile = 0x12_00a9;
/** Everyone may create entries in ProgramData; this replaces none. */
const harmlessOnFolder = harmlessOnFile | 0x116;

/**
 * Parses owner and access list in SDDL: "O:BAG:SYD:AI(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)". `user`: another
 * trusted SID. Unknown parts count as write access, a missing list as access for everyone.
 */
export function isProtectedOnWindows(sddl: string, target: 'file' | 'folder', user?: string): boolean {
  const isTrusted = (identifier: string) => administrator.test(identifier) || identifier === user;
  const [, holder = ''] = /^O:([A-Z]{2}|S-[\d-]+)(?=[GDS]:)/.exec(sddl) ?? [];
  const [, list] = /D:[A-Z]*((?:\([^()]*\))+)(?=S:|$)/.exec(sddl) ?? [];
  if (!isTrusted(holder) || list === undefined) return false;
  const harmless = target === 'file' ? harmlessOnFile : harmlessOnFolder;
  return list
    .slice(1, -1)
    .split(')(')
    .every((entry) => {
      const [type, flags = '', rights = '', , , trustee = ''] = entry.split(';');
      // Denials and inherit-only entries grant nothing here.
      if (type === 'D' || pairs(flags).includes('IO')) return true;
      if (type !== 'A') return false;
      return isTrusted(trustee) || owner.test(trustee) || (bitsOf(rights) & ~harmless) === 0;
    });
}

function bitsOf(rights: string): number {
  if (/^0x[\da-f]{1,8}$/i.test(rights)) return Number(rights);
  return pairs(rights).reduce((bits, letters) => bits | (rightsByLetters[letters] ?? everything), 0);
}

function pairs(letters: string): readonly string[] {
  return letters.match(/.{1,2}/g) ?? [];
}
