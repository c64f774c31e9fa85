import { execFile } from 'node:child_process';
import { realpath as realpathCallback } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pathBelow } from './paths.ts';

/** Detects network drives; false if unknown. Only reads the drive to follow links. */
export async function isOnNetwork(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform === 'win32') {
    // Resolves the letter of a mapped share.
    const real = await promisify(realpathCallback.native)(folder).catch(() => folder);
    return isUncPath(folder) || isUncPath(real);
  }
  const real = await realpath(folder).catch(() => folder);
  const type = await fileSystemOf(real, platform);
  return type !== null && isNetworkFileSystem(type);
}

async function fileSystemOf(path: string, platform: NodeJS.Platform): Promise<string | null> {
  try {
    if (platform === 'linux')
      return fileSystemIn(path, parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8')));
    if (platform !== 'darwin' || !path.startsWith('/Volumes/')) return null;
    const { stdout } = await promisify(execFile)('/sbin/mount', [], { timeout: 5_000 });
    return fileSystemIn(path, parseMacMounts(stdout));
  } catch {
    return null;
  }
}

/**
 * Whether a move between the paths is a rename. For a missing path, its nearest existing parent counts. False
 * if unknown.
 */
export async function sameDrive(a: string, b: string): Promise<boolean> {
  const [firstDevice, secondDevice] = await Promise.all([deviceOf(a), deviceOf(b)]);
  return firstDevice !== null && firstDevice === secondDevice;
}

async function deviceOf(path: string): Promise<number | null> {
  return stat(await nearestExisting(path)).then(
    ({ dev }) => dev,
    () => null,
  );
}

/** The path, or its nearest existing parent. */
export async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || parent === path ? path : nearestExisting(parent);
}

/** Resolves links; for a missing path, those of its nearest existing parent. */
export async function truePath(path: string): Promise<string> {
  const existing = await nearestExisting(path);
  return resolve(await realpath(existing).catch(() => existing), relative(existing, path));
}

/** Whether `inner` is `outer` or below it. */
export function isWithin(inner: string, outer: string): boolean {
  return pathBelow(outer, inner) !== null;
}

/** Parses the systems' mount tables. Pure. */

interface Mount {
  readonly point: string;
  /** For example `ext4`, `nfs4`, `fuse.sshfs`, `smbfs`. */
  readonly type: string;
}

const network = new Set(
  [
    'nfs nfs4 cifs smb smb2 smb3 smbfs afpfs afs coda ncp ncpfs webdav davfs davfs2',
    'sshfs curlftpfs 9p ceph glusterfs lustre beegfs gpfs orangefs ocfs2 gfs2 moosefs',
    'rclone s3fs gcsfuse goofys gvfsd-fuse vboxsf vmhgfs vmhgfs-fuse prl_fs',
  ].flatMap((names) => names.split(' ')),
);

/** Whether the data are on another computer, or remote changes aren't reported. */
export function isNetworkFileSystem(type: string): boolean {
  return network.has(type.toLowerCase().replace(/^(?:fuse|macfuse|osxfuse)\./, ''));
}

/**
 * Parses `/proc/self/mountinfo` (proc(5)): the fifth field is the mount point, the type follows a lone
 * hyphen.
 */
export function parseMountInfo(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [mountPart = '', typePart = ''] = line.split(' - ');
    const point = mountPart.split(' ')[4];
    const type = typePart.split(' ')[0];
    return point && type ? [{ point: unescaped(point), type }] : [];
  });
}

/** Decodes octal escapes: `\040` is a space. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Parses `mount` on macOS: `//anna@server/share on /Volumes/share (smbfs, nodev, nosuid)`. */
export function parseMacMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [separatorIndex, optionsIndex] = [line.indexOf(' on /'), line.lastIndexOf(' (')];
    if (separatorIndex === -1 || optionsIndex < separatorIndex || !line.endsWith(')')) return [];
    const [point, inBrackets] = [
      line.slice(separatorIndex + ' on '.length, optionsIndex),
      line.slice(optionsIndex + 2, -1),
    ];
    const type = inBrackets.split(',')[0];
    return type && !/[()]/.test(inBrackets) ? [{ point, type }] : [];
  });
}

/** The type of a path's mount: the last of the longest mount points, which covers the others. */
export function fileSystemIn(path: string, mounts: readonly Mount[]): string | null {
  let longestMount: Mount | null = null;
  for (const mount of mounts) {
    const isIn = mount.point === '/' || path === mount.point || path.startsWith(`${mount.point}/`);
    if (isIn && mount.point.length >= (longestMount?.point.length ?? 0)) longestMount = mount;
  }
  return longestMount?.type ?? null;
}

/** Matches `\\server\share\…`, also in its long form, but no local devices. */
export function isUncPath(path: string): boolean {
  return /^\\\\\?\\UNC\\[^\\]/i.test(path) || /^[\\/]{2}[^\\/?.][^\\/]*[\\/][^\\/]/.test(path);
}
