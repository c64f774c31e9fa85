import { describe, expect, it } from 'vitest';
import { isProtectedOnPosix } from '../../main/private-files.ts';
import { isProtectedOnWindows } from '../../main/windows-protection.ts';

it.each([
  [0, 0o644, true],
  [0, 0o444, true],
  [0, 0o100644, true],
  [0, 0o664, false],
  [0, 0o646, false],
  [0, 0o41777, false],
  [1000, 0o644, false],
])('isProtectedOnPosix() for user %d with mode %o is %s', (uid, mode, expected) => {
  expect(isProtectedOnPosix({ uid, mode }, 0)).toBe(expected);
});

describe('isProtectedOnWindows()', () => {
  const admins = '(A;ID;FA;;;BA)(A;ID;FA;;;SY)';
  const person = 'S-1-5-21-1004336348-1177238915-682003330-1001';

  it.each([
    ['administrators write, everybody reads', `O:BAG:SYD:AI${admins}(A;ID;0x1200a9;;;BU)`],
    ['the same in numbers', 'O:S-1-5-32-544G:SYD:PAI(A;;FA;;;S-1-5-32-544)(A;;FR;;;S-1-1-0)'],
    ['the system', `O:SYG:SYD:(A;;FA;;;SY)(A;;FRFX;;;WD)S:AI`],
    ['an administrator of the domain', `O:${person.replace('1001', '512')}G:DUD:AI${admins}`],
    ['a person who is kept out', `O:BAG:SYD:AI(D;;FA;;;${person})${admins}`],
    ['rights that are only handed down', `O:BAG:SYD:AI${admins}(A;OICIIOID;GA;;;BU)`],
    ['the owner, who is one of them', `O:BAG:SYD:AI${admins}(A;ID;FA;;;OW)`],
  ])('isProtectedOnWindows() is true for a file: %s', (_what, sddl) =>
    expect(isProtectedOnWindows(sddl, 'file')).toBe(true),
  );

  it.each([
    ['it belongs to a person', `O:${person}G:SYD:AI${admins}`],
    ['users may change it', `O:BAG:SYD:AI${admins}(A;ID;0x1301bf;;;BU)`],
    ['a person may do everything', `O:BAG:SYD:AI${admins}(A;ID;FA;;;${person})`],
    ['a person may take it over', `O:BAG:SYD:AI${admins}(A;;FRWO;;;${person})`],
    ['a person may delete it', `O:BAG:SYD:AI${admins}(A;;FRSD;;;${person})`],
    ['everybody may write, by general rights', `O:BAG:SYD:AI${admins}(A;;GRGW;;;WD)`],
    ['a right that nobody knows', `O:BAG:SYD:AI${admins}(A;;ZZ;;;BU)`],
    ['an entry with a condition', `O:BAG:SYD:AI${admins}(XA;;FA;;;BU;(a == 1))`],
    ['no access list', 'O:BAG:SYD:NO_ACCESS_CONTROL'],
    ['an empty one', 'O:BAG:SYD:'],
    ['no answer', ''],
    ['something else', 'Get-Acl : Access denied'],
  ])('isProtectedOnWindows() is false for a file: %s', (_what, sddl) =>
    expect(isProtectedOnWindows(sddl, 'file')).toBe(false),
  );

  it('isProtectedOnWindows() accepts the current user’s own file, and rejects one writable for others', () => {
    const ownDescriptor = `O:${person}G:SYD:AI${admins}(A;ID;FA;;;${person})`;
    expect(isProtectedOnWindows(ownDescriptor, 'file', person)).toBe(true);
    expect(isProtectedOnWindows(ownDescriptor, 'file', person.replace('1001', '1002'))).toBe(false);
    expect(isProtectedOnWindows(`${ownDescriptor}(A;ID;0x1301bf;;;AU)`, 'file', person)).toBe(false);
  });

  it('isProtectedOnWindows() lets everyone create entries in a folder like ProgramData, but nothing else', () => {
    const usualDescriptor = `O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)`;
    expect(isProtectedOnWindows(`${usualDescriptor}(A;CIID;DCLCRPCR;;;BU)`, 'folder')).toBe(true);
    expect(isProtectedOnWindows(`${usualDescriptor}(A;CIID;DCLCRPCRDT;;;BU)`, 'folder')).toBe(false);
    expect(isProtectedOnWindows(`${usualDescriptor}(A;CIID;DCLCRPCR;;;BU)`, 'file')).toBe(false);
  });
});
