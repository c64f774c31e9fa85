import { describe, expect, it } from 'vitest';
import {
  fileSystemIn,
  isNetworkFileSystem,
  isUncPath,
  parseMacMounts,
  parseMountInfo,
} from '../../../main/files/drive.ts';

const mountInfo = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /mnt/my\\040share rw shared:2 master:3 - cifs //server/share rw,vers=3.0
31 22 0:26 / /mnt rw - nfs4 server:/export rw
32 22 0:27 / /home/anna/remote rw - fuse.sshfs anna@host: rw
33 22 0:28 / /mnt/my\\040share/disk rw - xfs /dev/sdb1 rw
34 22 0:29 / /over rw - ext4 /dev/sdc1 rw
35 34 0:30 / /over rw - nfs server:/over rw
`;

describe('parseMountInfo()', () => {
  it.each([
    ['/data/in', 'ext4'],
    ['/mnt/other', 'nfs4'],
    ['/mnt', 'nfs4'],
    ['/mnt/my share/in', 'cifs'],
    ['/mnt/my shareholder', 'nfs4'],
    ['/mnt/my share/disk/in', 'xfs'],
    ['/home/anna/remote', 'fuse.sshfs'],
    ['/over/in', 'nfs'],
  ])('finds the file system of %s: %s', (path, type) => {
    expect(fileSystemIn(path, parseMountInfo(mountInfo))).toBe(type);
  });

  it('finds no file system in invalid mount info', () => {
    expect(fileSystemIn('/data', parseMountInfo('nonsense\n\n1 2 3\n'))).toBeNull();
  });
});

describe('parseMacMounts()', () => {
  const mounts = parseMacMounts(`/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//anna@server/Share%20A on /Volumes/Share A (smbfs, nodev, nosuid, mounted by anna)
server:/export on /Volumes/on (nfs)
/dev/disk4s1 on /Volumes/Stick (1) (msdos, local, nodev)
`);

  it.each([
    ['/Volumes/Share A/in', 'smbfs'],
    ['/Volumes/on/x', 'nfs'],
    ['/Volumes/Stick (1)/x', 'msdos'],
    ['/Users/anna', 'apfs'],
  ])('finds the file system of %s: %s', (path, type) => {
    expect(fileSystemIn(path, mounts)).toBe(type);
  });
});

describe('isNetworkFileSystem()', () => {
  it.each([
    'nfs',
    'nfs4',
    'cifs',
    'smb3',
    'smbfs',
    'fuse.sshfs',
    'fuse.rclone',
    'davfs',
    '9p',
    'afs',
    'ceph',
    'glusterfs',
    'fuse.glusterfs',
  ])('detects the network file system %s', (type) => {
    expect(isNetworkFileSystem(type)).toBe(true);
  });

  it.each(['ext4', 'xfs', 'btrfs', 'tmpfs', 'overlay', 'apfs', 'fuseblk', 'ntfs3', 'exfat', 'vfat'])(
    'returns false for the local file system %s',
    (type) => {
      expect(isNetworkFileSystem(type)).toBe(false);
    },
  );
});

describe('isUncPath()', () => {
  it.each(['\\\\server\\share', '\\\\server\\share\\in', '//server/share/in', '\\\\?\\UNC\\server\\share'])(
    'detects the UNC path %s',
    (path) => {
      expect(isUncPath(path)).toBe(true);
    },
  );

  it.each(['C:\\in', '\\\\?\\C:\\in', '\\\\.\\pipe\\x', '\\in', '\\\\', 'in'])('rejects %s', (path) => {
    expect(isUncPath(path)).toBe(false);
  });
});
