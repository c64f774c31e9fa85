interface NeverData {
  /** One name for `createIgnore`: `*` is any text, `?` a letter or digit, a final `/` means folders. */
  readonly pattern: string;
  /** Program or system, and purpose. */
  readonly writtenBy: string;
  readonly source: string;
  /** A name under which a program writes a file. */
  readonly isUnfinished?: true;
}

interface Writer extends Omit<NeverData, 'pattern'> {
  /** Separated by `|`. */
  readonly patterns: string;
}

const writers: readonly Writer[] = [
  {
    patterns: '.DS_Store',
    writtenBy: 'macOS: Finder’s view settings of a folder',
    source: 'Apple, File System Programming Guide',
  },
  {
    patterns: 'Thumbs.db',
    writtenBy: 'Windows: thumbnails of a folder',
    source: 'Microsoft Learn, Thumbnail cache',
  },
  {
    patterns: '~$*',
    writtenBy: 'Microsoft Office: a lock on an open document',
    source: 'Microsoft Support, Owner file',
  },
  {
    patterns: '*.part',
    writtenBy: 'Firefox, KDE, Transmission and others: an unfinished download',
    source: 'Mozilla, nsExternalHelperAppService',
    isUnfinished: true,
  },
  {
    patterns: '*.tmp',
    writtenBy: 'Many programs: a temporary file',
    source: 'Windows API, GetTempFileName',
    isUnfinished: true,
  },
  { patterns: '.git/', writtenBy: 'Git: internal files of a repository', source: 'git-init(1)' },
  { patterns: '*.tilelift.json', writtenBy: 'Tilelift: a receipt', source: 'docs/after-the-end.md' },
  // Browsers and downloads.
  {
    patterns: '*.crdownload',
    writtenBy: 'Chrome, Edge and other Chromium browsers: an unfinished download',
    source: 'Chromium, components/download',
    isUnfinished: true,
  },
  {
    patterns: '*.download|*.download/',
    writtenBy: 'Safari: an unfinished download',
    source: 'Apple, Safari User Guide, Downloads',
    isUnfinished: true,
  },
  {
    patterns: '*.opdownload',
    writtenBy: 'Opera: an unfinished download',
    source: 'Opera, help on downloads',
    isUnfinished: true,
  },
  {
    patterns: '*.partial',
    writtenBy: 'Internet Explorer, old Edge, rclone: an unfinished download',
    source: 'rclone docs, --partial-suffix',
    isUnfinished: true,
  },
  { patterns: '*.aria2', writtenBy: 'aria2: state of a download', source: 'aria2c(1), control file' },
  {
    patterns: '*.!ut|*.!qB|*.!sync',
    writtenBy: 'µTorrent, qBittorrent, Resilio Sync: an unfinished download',
    source: 'Their settings, “append to incomplete files”',
    isUnfinished: true,
  },
  {
    patterns: '_.gstmp|*_.gstmp',
    writtenBy: 'gsutil: an unfinished download',
    source: 'gsutil docs, cp',
    isUnfinished: true,
  },
  {
    patterns: '.azDownload-*',
    writtenBy: 'AzCopy 10: an unfinished download',
    source: 'azure-storage-azcopy, release notes 10.12',
    isUnfinished: true,
  },
  // rsync and other copying.
  {
    patterns: '.*.??????',
    writtenBy: 'rsync: an unfinished file (.name.XXXXXX)',
    source: 'rsync(1), --temp-dir; receiver.c, get_tmpname',
    isUnfinished: true,
  },
  {
    patterns: '.~tmp~/|.rsync-partial/|.rsync-tmp/',
    writtenBy: 'rsync: received files before the final rename',
    source: 'rsync(1), --delay-updates, --partial-dir',
  },
  {
    patterns: '*.ffs_tmp|*.ffs_lock',
    writtenBy: 'FreeFileSync: unfinished copies, locks',
    source: 'FreeFileSync manual, Exclude files',
    isUnfinished: true,
  },
  { patterns: '*.ffs_db', writtenBy: 'FreeFileSync: database', source: 'FreeFileSync manual, Exclude files' },
  {
    patterns: '*._COPYING_|_temporary/',
    writtenBy: 'Hadoop: unfinished copies and results',
    source: 'Hadoop, FsShell put; FileOutputCommitter',
    isUnfinished: true,
  },
  // SFTP and FTP.
  {
    patterns: '*.filepart',
    writtenBy: 'WinSCP, CrushFTP: an unfinished transfer',
    source: 'WinSCP docs, Transfer to temporary filename',
    isUnfinished: true,
  },
  {
    patterns: '.in.*',
    writtenBy: 'lftp, ProFTPD: an unfinished transfer',
    source: 'lftp(1), xfer:temp-file-name; ProFTPD, HiddenStores',
    isUnfinished: true,
  },
  {
    patterns: '*.lftp-pget-status|.lftp*',
    writtenBy: 'lftp: state of a segmented transfer',
    source: 'lftp(1), pget',
  },
  {
    patterns: '.pureftpd-upload.*',
    writtenBy: 'Pure-FTPd: an unfinished transfer',
    source: 'Pure-FTPd, README, atomic uploads',
    isUnfinished: true,
  },
  {
    patterns: '*.cyberducksegment/',
    writtenBy: 'Cyberduck: segments of a download',
    source: 'Cyberduck help, Segmented downloads',
  },
  {
    patterns:
      '*.upload|*.uploading|*.incomplete|*.temp|*.writing|*.bts|.upload*|.incomplete*|.temp.*|.writing*',
    writtenBy: 'Upload and export programs: an unfinished file',
    source: 'Their settings for temporary names',
    isUnfinished: true,
  },
  // Editors.
  {
    patterns: '*~',
    writtenBy: 'Emacs, gedit, Kate, QGIS: a backup of the previous version',
    source: 'GNU Emacs manual, Backup names',
  },
  {
    patterns: '*.swp|*.swo|*.swx',
    writtenBy: 'Vim: changes to an open file',
    source: 'Vim, :help swap-file',
  },
  {
    patterns: '#*#|.#*',
    writtenBy: 'Emacs: unsaved changes, locks on open files',
    source: 'GNU Emacs manual, Auto save files, Interlocking',
  },
  {
    patterns: '.goutputstream-*',
    writtenBy: 'GNOME programs: an unfinished file',
    source: 'GLib, GLocalFileOutputStream',
    isUnfinished: true,
  },
  {
    patterns: '*.kate-swp',
    writtenBy: 'Kate: changes to an open file',
    source: 'The Kate handbook, Swap file',
  },
  {
    patterns: '*___jb_tmp___|*___jb_old___',
    writtenBy: 'JetBrains editors: an unfinished file',
    source: 'JetBrains, safe write',
    isUnfinished: true,
  },
  // Office and drawing programs, databases.
  {
    patterns: '.~lock.*#',
    writtenBy: 'LibreOffice: a lock on an open document',
    source: 'LibreOffice, svt::LockFileCommon',
  },
  {
    patterns: '*.lock',
    writtenBy: 'ArcGIS (.lock, .sr.lock, .rd.lock, .ed.lock) and others: locks on open data',
    source: 'Esri, File geodatabases and locking',
  },
  {
    patterns: '*.dwl|*.dwl2|*.sv$|*.ac$',
    writtenBy: 'AutoCAD: locks on open drawings, unsaved changes',
    source: 'Autodesk Support, DWL and SV$ files',
  },
  {
    patterns: '*-wal|*-shm|*-journal',
    writtenBy: 'SQLite (GeoPackage, MBTiles): uncommitted changes',
    source: 'sqlite.org, Temporary files used by SQLite',
  },
  // Systems and file servers.
  {
    patterns: '._*',
    writtenBy: 'macOS on non-Mac disks: Finder metadata of a file',
    source: 'RFC 1740, AppleDouble',
  },
  {
    patterns: '.localized|.apdisk|.VolumeIcon.icns',
    writtenBy: 'macOS: settings of folders and disks',
    source: 'Apple, File System Programming Guide',
  },
  {
    patterns: '.smbdelete*',
    writtenBy: 'macOS: deleted while open on a file server',
    source: 'Apple, smbfs',
  },
  {
    patterns: 'desktop.ini|ehthumbs.db|ehthumbs_vista.db|Thumbs.db:encryptable',
    writtenBy: 'Windows: view settings of a folder',
    source: 'Microsoft Learn, Customizing folders with Desktop.ini',
  },
  { patterns: '.directory', writtenBy: 'KDE: view settings of a folder', source: 'KDE, Dolphin handbook' },
  { patterns: '.fuse_hidden*', writtenBy: 'Linux: deleted while open', source: 'libfuse, hard_remove' },
  {
    patterns: '.nfs????????????????*',
    writtenBy: 'NFS: deleted while open',
    source: 'Linux, fs/nfs/unlink.c',
  },
  {
    patterns: '@eaDir/|#recycle/|#snapshot/|@tmp/|@sharesnap/|@SynoResource|@SynoEAStream',
    writtenBy: 'Synology: thumbnails, recycle bin, snapshots',
    source: 'Synology Knowledge Center, Recycle Bin, Snapshot Replication',
  },
  {
    patterns: '@Recycle/|@Recently-Snapshot/|.@__thumb/|.@__qini/|.@upload_cache/',
    writtenBy: 'QNAP: thumbnails, recycle bin, snapshots',
    source: 'QNAP, Network Recycle Bin, File Station',
  },
  {
    patterns: '.snapshot/|~snapshot/|.snapshots/|.zfs/',
    writtenBy: 'NetApp, Btrfs with Snapper, ZFS: snapshots',
    source: 'NetApp docs, Access snapshot copies; snapper(8); zfs(8), snapdir',
  },
  { patterns: '.recycle/', writtenBy: 'Samba: recycle bin', source: 'vfs_recycle(8)' },
  {
    patterns: '.stversions/|.stfolder/|.stfolder|.stignore',
    writtenBy: 'Syncthing: earlier versions, markers',
    source: 'Syncthing docs, Versioning, Ignoring files',
  },
  {
    patterns: '.syncthing.*',
    writtenBy: 'Syncthing: unfinished files',
    source: 'Syncthing docs, Ignoring files',
    isUnfinished: true,
  },
  {
    patterns: '.sync/',
    writtenBy: 'Resilio Sync: internal files and archive',
    source: 'Resilio Help, hidden .sync folder',
  },
  {
    patterns: '.owncloudsync.log|._sync_*.db|.sync_*.db|.csync_journal.db',
    writtenBy: 'Nextcloud, ownCloud: state of syncing',
    source: 'Nextcloud Desktop manual',
  },
  {
    patterns: '.dropbox|.dropbox.attr|.dropbox.cache/',
    writtenBy: 'Dropbox: internal files',
    source: 'Dropbox Help, Cache folder',
  },
  {
    patterns: '.tmp.drivedownload/|.tmp.driveupload/',
    writtenBy: 'Google Drive: unfinished transfers',
    source: 'Google Drive Help',
    isUnfinished: true,
  },
  {
    patterns: '$RECYCLE.BIN/|RECYCLER/|System Volume Information/|FOUND.???/',
    writtenBy: 'Windows: recycle bin, restore points, files recovered by chkdsk',
    source: 'Microsoft Learn, Recycle Bin; System Restore; chkdsk',
  },
  {
    patterns: '.Trash/|.Trash-*/',
    writtenBy: 'Linux desktops: trash',
    source: 'freedesktop.org, Trash specification 1.0',
  },
  {
    patterns: '.Trashes/|.Spotlight-V100/|.fseventsd/|.TemporaryItems/|.DocumentRevisions-V100/',
    writtenBy: 'macOS: trash, search index, change log',
    source: 'Apple, File System Programming Guide',
  },
  {
    patterns:
      '.AppleDouble/|.AppleDB/|.AppleDesktop/|Network Trash Folder/|Temporary Items/|TheVolumeSettingsFolder/',
    writtenBy: 'Apple file sharing (netatalk)',
    source: 'netatalk manual',
  },
  {
    patterns: 'lost+found/',
    writtenBy: 'Linux: files recovered by fsck',
    source: 'e2fsck(8), mklost+found(8)',
  },
  {
    patterns: '__MACOSX/',
    writtenBy: 'macOS Archive Utility: Finder metadata of files in a zip',
    source: 'Apple, ditto(1), --sequesterRsrc',
  },
  {
    patterns: '.svn/|.hg/',
    writtenBy: 'Subversion, Mercurial: internal files of a repository',
    source: 'svn book, hg(1)',
  },
];

/**
 * Files of programs and systems that are never data. A test keeps this table and docs/reference/left-out.md
 * in sync.
 */
export const neverData: readonly NeverData[] = writers.flatMap(({ patterns, ...writer }) =>
  patterns.split('|').map((pattern) => ({ pattern, ...writer })),
);
