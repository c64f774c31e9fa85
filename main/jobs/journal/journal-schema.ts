import type { DatabaseSync } from 'node:sqlite';

/**
 * Rows of the ledger that don't tell by themselves when their bytes were all in storage learn it from their
 * job. Part of a migration: never changed.
 */
export const fillUploadedAt = `
  UPDATE ledger SET uploaded_at = CASE WHEN state = 'complete' THEN coalesce(ended_at, taken_at) ELSE
    (SELECT min(CASE WHEN json_valid(event) AND event ->> '$.kind' = 'upload-finished' THEN event ->> '$.at' END)
     FROM events WHERE events.job_id = ledger.job_id) END
  WHERE uploaded_at IS NULL AND job_id IS NOT NULL;
`;

/**
 * The journal's tables. Each entry brings the database from the version before to its own (`PRAGMA
 * user_version` counts them); entries are only ever added. No column holds a secret: upload credentials are
 * in the vault.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    paths TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at REAL NOT NULL
  ) STRICT;
  -- A job's state is what its events, in order, make of a new job.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_of_job ON events (job_id, seq);
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    -- The frozen plan.
    part_size INTEGER NOT NULL,
    part_count INTEGER NOT NULL,
    upload_id TEXT,
    done INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX files_of_job ON files (job_id, done);
  CREATE TABLE parts (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    PRIMARY KEY (file_id, number)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE jobs ADD COLUMN accept_forecast INTEGER NOT NULL DEFAULT 0;
  -- 1: taken off the list; its rows are cleared away bit by bit.
  ALTER TABLE jobs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
  -- How fast the last uploads of an account went.
  CREATE TABLE speeds (
    seq INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    ms REAL NOT NULL
  ) STRICT;
  CREATE INDEX speeds_of_account ON speeds (account_id, seq);
  `,
  `
  -- JSON; what a job must find in its source to send it.
  ALTER TABLE jobs ADD COLUMN exactly TEXT;
  ALTER TABLE files ADD COLUMN etag TEXT;
  -- What watch rules have taken: one row for a rule and path. The checks let the look at every start find rows that make no sense.
  CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY,
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    identity TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    newest_ms REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN
      ('skipped', 'taken', 'complete', 'waits-for-change', 'waits-for-retry', 'waits-for-person')),
    job_id TEXT,
    asset_id INTEGER,
    taken_at REAL NOT NULL,
    ended_at REAL,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    retries INTEGER NOT NULL,
    retry_at REAL,
    restarts INTEGER NOT NULL,
    moved_to TEXT,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX ledger_places ON ledger (rule_id, path);
  CREATE INDEX ledger_identities ON ledger (rule_id, identity);
  CREATE INDEX ledger_jobs ON ledger (job_id) WHERE job_id IS NOT NULL;
  CREATE INDEX ledger_by_time ON ledger (rule_id, taken_at);
  CREATE INDEX ledger_states ON ledger (rule_id, state);
  CREATE INDEX ledger_taken ON ledger (seq) WHERE state = 'taken';
  CREATE INDEX ledger_retries ON ledger (rule_id, retry_at) WHERE state = 'waits-for-retry';
  -- How many sources a rule has taken, and when last. Goes only up.
  CREATE TABLE taken_so_far (
    rule_id TEXT PRIMARY KEY,
    sources INTEGER NOT NULL,
    last_at REAL NOT NULL
  ) STRICT;
  CREATE TABLE activity (
    seq INTEGER PRIMARY KEY,
    rule_id TEXT NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX activity_of_rule ON activity (rule_id, seq);
  CREATE TABLE receipts (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    rule_id TEXT NOT NULL,
    ended_at REAL NOT NULL,
    receipt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX receipts_by_time ON receipts (ended_at, seq);
  CREATE INDEX receipts_of_rule ON receipts (rule_id, ended_at, seq);
  `,
  `
  -- JSON; what a line of activity says, in no language. Lines without it are words alone, as they were written.
  ALTER TABLE activity ADD COLUMN said TEXT CHECK (said IS NULL OR json_valid(said));
  `,
  `
  -- When all bytes of the newest job were on storage; the journal itself notes it, whoever writes the event.
  ALTER TABLE ledger ADD COLUMN uploaded_at REAL;
  -- When a person wanted another try; NULL when nobody did since it was taken.
  ALTER TABLE ledger ADD COLUMN wanted_at REAL;
  CREATE TRIGGER ledger_uploaded AFTER INSERT ON events
    WHEN json_valid(NEW.event) AND NEW.event ->> '$.kind' = 'upload-finished'
    BEGIN UPDATE ledger SET uploaded_at = NEW.event ->> '$.at' WHERE job_id = NEW.job_id; END;
  ${fillUploadedAt}
  -- Small files of the stretch; 0 for one of large files, as which those of before count.
  ALTER TABLE speeds ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
  -- Rows that could not be read, kept as they were. Kind: 'job' or 'event'. A job whose own row is here has removed = 2.
  CREATE TABLE unreadable (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Finished sources that are being moved: what a kill cut off is gone on with. JSON: ways down from both folders, name by name.
  CREATE TABLE moves (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    target TEXT NOT NULL,
    moves TEXT NOT NULL CHECK (json_valid(moves))
  ) STRICT;
  CREATE INDEX moves_from ON moves (folder, seq);
  -- Rules whose folders were searched for the plans of versions that kept them there.
  CREATE TABLE plans_seen (
    rule_id TEXT PRIMARY KEY
  ) STRICT;
  `,
  `
  -- Which file it was: device and inode as text, since no number holds them all, and the time of its last change of any kind. Null: not known.
  ALTER TABLE files ADD COLUMN file_id TEXT;
  ALTER TABLE files ADD COLUMN ctime_ms REAL;
  -- Uploads of jobs that need them no more, which storage keeps and somebody pays for until they are aborted. They outlive their jobs.
  CREATE TABLE owed_aborts (
    job_id TEXT NOT NULL,
    key TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    PRIMARY KEY (job_id, key, upload_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- 1: the request to complete the file's upload has been sent, with whatever outcome.
  ALTER TABLE files ADD COLUMN complete_sent INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What lasts in watched folders (a wait, a silence), since when, and whether it was told.
  CREATE TABLE alert_conditions (
    name TEXT PRIMARY KEY,
    since REAL NOT NULL,
    told INTEGER NOT NULL
  ) STRICT;
  -- What is to be told, each once; message is NULL until it is part of one. JSON.
  CREATE TABLE alert_events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    what TEXT NOT NULL CHECK (json_valid(what)),
    message TEXT
  ) STRICT;
  CREATE INDEX alert_events_untold ON alert_events (at) WHERE message IS NULL;
  -- JSON; a message as it is sent on each of its ways.
  CREATE TABLE alert_messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    message TEXT NOT NULL CHECK (json_valid(message))
  ) STRICT;
  CREATE TABLE alert_deliveries (
    message TEXT NOT NULL REFERENCES alert_messages (id) ON DELETE CASCADE,
    way TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_at REAL NOT NULL,
    PRIMARY KEY (message, way)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What a source looked like when its row was written, times of any change included, and what was uploaded of it. NULL: not known, not worked out yet.
  ALTER TABLE ledger ADD COLUMN marks TEXT;
  ALTER TABLE ledger ADD COLUMN content TEXT;
  -- What sources held when they were last read for it.
  CREATE TABLE contents_seen (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ledger_any_case ON ledger (rule_id, path COLLATE NOCASE);
  `,
  `
  -- The longest pause that was seen in sources of a rule which then went on growing: they are watched for longer because of it.
  CREATE TABLE pauses (
    rule_id TEXT PRIMARY KEY,
    ms REAL NOT NULL,
    at REAL NOT NULL
  ) STRICT;
  `,
  `
  -- What is still to be done for sources that have ended, receipts as files and programs; done ones are kept for a while, so that an end that is noted again is known.
  CREATE TABLE after_ends (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    source TEXT NOT NULL,
    outcome TEXT NOT NULL,
    ended_at REAL NOT NULL,
    tries INTEGER NOT NULL,
    done INTEGER NOT NULL,
    UNIQUE (job_id, ended_at, kind)
  ) STRICT;
  CREATE INDEX after_ends_due ON after_ends (seq) WHERE done = 0;
  `,
  `
  -- By which version of the function a row's identity was made. Those of before counted every file.
  ALTER TABLE ledger ADD COLUMN identity_version INTEGER NOT NULL DEFAULT 1;
  `,
  `
  -- Sources of watched folders that wait for a person's choice; together: one question is asked about all of these.
  CREATE TABLE held (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    why TEXT NOT NULL,
    since REAL NOT NULL,
    together INTEGER NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Rules that are gone, and where they took what the ledger still knows of them.
  CREATE TABLE removed_rules (
    rule_id TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    unit TEXT NOT NULL,
    removed_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX removed_rules_of_folder ON removed_rules (folder, unit);
  `,
  `
  -- Rules that may have forgotten what they took, since the journal was put back from a backup; and what lay in their folders when that was found.
  CREATE TABLE restored_rules (
    rule_id TEXT PRIMARY KEY
  ) STRICT;
  CREATE TABLE restored_sources (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    identity TEXT NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Which files arrived together: their paths, as a JSON array. One row for a batch, since a batch of 100,000 files is written in one transaction.
  CREATE TABLE batches (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT;
  `,
  `
  -- Errors are facts: those that tell what they are about lose the words that they were said in. Others keep theirs.
  UPDATE events SET event = json_remove(event, '$.error.message', '$.error.advice')
    WHERE json_valid(event) AND event ->> '$.error.subject' IS NOT NULL;
  UPDATE ledger SET error = json_remove(error, '$.message', '$.advice')
    WHERE error ->> '$.subject' IS NOT NULL;
  `,
  `
  -- Likewise those in what is to be told, and in messages that are on their way.
  UPDATE alert_events SET what = json_remove(what, '$.error.message', '$.error.advice')
    WHERE what ->> '$.error.subject' IS NOT NULL;
  UPDATE alert_messages SET message = json_set(message, '$.told', json((
    SELECT json_group_array(json(
      CASE WHEN value ->> '$.what.error.subject' IS NULL THEN value
        ELSE json_remove(value, '$.what.error.message', '$.what.error.advice') END))
    FROM json_each(message, '$.told'))))
    WHERE json_type(message, '$.told') = 'array';
  `,
  `
  -- JSON; what a person decided about the files of its source.
  ALTER TABLE jobs ADD COLUMN changes TEXT;
  -- What files hold that exist in the upload alone; most of a job hold the same.
  CREATE TABLE file_contents (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    md5 TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (job_id, md5)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE files ADD COLUMN content_md5 TEXT;
  `,
  `
  -- What was found in the files of a watched source that was taken, for its receipt: a JSON array.
  CREATE TABLE noted_findings (
    job_id TEXT PRIMARY KEY,
    findings TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The job that this one takes the place of; it may be gone.
  ALTER TABLE jobs ADD COLUMN predecessor TEXT;
  `,
  `
  -- Whose turn comes first: a lower one.
  ALTER TABLE jobs ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  UPDATE jobs SET place = rowid;
  -- When a person took it off the list: until its rows are given up (removed = 1) it can be brought back (removed = 3).
  ALTER TABLE jobs ADD COLUMN removed_at REAL;
  -- What was found in the source when the job was wanted.
  ALTER TABLE jobs ADD COLUMN expected_files INTEGER;
  ALTER TABLE jobs ADD COLUMN expected_bytes INTEGER;
  -- Of all that the last scan found.
  ALTER TABLE jobs ADD COLUMN fingerprint TEXT;
  -- What has become of a source, by its fingerprint: the last asset that was complete.
  CREATE TABLE assets_made (
    account_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    asset_id INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (account_id, fingerprint)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What the multipart upload of a file was declared to carry: 'parts', 'whole'; null for nothing.
  ALTER TABLE files ADD COLUMN upload_checksum TEXT;
  -- The checksum that storage has compared with the bytes of a file: 'crc32', 'md5'; null where unknown.
  ALTER TABLE files ADD COLUMN compared_by TEXT;
  -- Of a part, where storage has compared it; null: its MD5 was compared.
  ALTER TABLE parts ADD COLUMN crc32 INTEGER;
  `,
  `
  -- Receipts by the asset that their source became.
  CREATE INDEX receipts_of_asset ON receipts (CASE WHEN json_valid(receipt) THEN receipt ->> '$.assetId' END, rule_id);
  `,
  `
  -- What is sent for a job. Counts are kept as files are added and confirmed: nothing ever goes over all of them. At most 2,097,151, so that ids of files stay exact numbers.
  CREATE TABLE plans (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 2097151),
    job_id TEXT NOT NULL UNIQUE REFERENCES jobs (id) ON DELETE CASCADE,
    files INTEGER NOT NULL DEFAULT 0,
    done_files INTEGER NOT NULL DEFAULT 0,
    done_bytes INTEGER NOT NULL DEFAULT 0,
    done_parts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- What stands before the names of files, separator included, in paths and in keys; one folder may have several rows. Device: see inode.
  CREATE TABLE folders (
    plan INTEGER NOT NULL,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    key_prefix TEXT NOT NULL,
    device TEXT,
    PRIMARY KEY (plan, number)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE files RENAME TO files_before;
  ALTER TABLE parts RENAME TO parts_before;
  DROP INDEX files_of_job;
  CREATE TABLE files (
    -- Its plan times 2^32, and its number in it: the files of a plan lie side by side.
    id INTEGER PRIMARY KEY,
    folder INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- The last name in its key; NULL: as name.
    key_name TEXT,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    -- The frozen plan; the number of parts follows from it.
    part_size INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    -- An MD5 as 16 bytes, all zero where none is known: a row that grows would tear its page in two. Others as text.
    etag ANY NOT NULL DEFAULT (zeroblob(16)),
    -- The checksum that storage has compared: 0 CRC32, 1 MD5, NULL not known.
    compared_by INTEGER,
    -- Which file it was: a number is that of its inode, on its folder's device; text names both. NULL: not known, or none that lasts.
    inode ANY,
    -- NULL: nothing of this is known.
    ctime_ms REAL,
    content_md5 TEXT,
    upload_id TEXT,
    upload_checksum TEXT,
    complete_sent INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE parts (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    crc32 INTEGER,
    PRIMARY KEY (file_id, number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO plans (job_id, files, done_files, done_bytes, done_parts)
    SELECT job_id, count(*), sum(done = 1), sum(iif(done = 1, size, 0)), sum(iif(done = 1, part_count, 0))
    FROM files_before GROUP BY job_id;
  -- What stands before the last separator: what is left when all other characters are taken away from the end.
  CREATE TEMP TABLE folders_before AS
    SELECT plan, row_number() OVER (PARTITION BY plan ORDER BY path, key_prefix) AS number, path, key_prefix
    FROM (SELECT DISTINCT plans.id AS plan, rtrim(path, replace(replace(path, '/', ''), '\\', '')) AS path, rtrim(key, replace(key, '/', '')) AS key_prefix
      FROM files_before JOIN plans USING (job_id));
  CREATE INDEX temp.folders_before_by_path ON folders_before (plan, path, key_prefix);
  INSERT INTO folders (plan, number, path, key_prefix) SELECT plan, number, path, key_prefix FROM folders_before;
  INSERT INTO files (id, folder, name, key_name, size, mtime_ms, part_size, done, etag, compared_by, inode, ctime_ms, content_md5, upload_id, upload_checksum, complete_sent)
    SELECT (plan << 32) + id, number, name, nullif(key_name, name), size, mtime_ms, part_size, done,
      CASE WHEN etag IS NULL THEN zeroblob(16) WHEN length(etag) = 32 AND etag NOT GLOB '*[^0-9a-f]*' THEN unhex(etag) ELSE etag END,
      CASE compared_by WHEN 'crc32' THEN 0 WHEN 'md5' THEN 1 END,
      file_id, ctime_ms, content_md5, upload_id, upload_checksum, complete_sent
    FROM (SELECT f.*, b.plan, b.number, substr(f.path, length(b.path) + 1) AS name, substr(f.key, length(b.key_prefix) + 1) AS key_name
      -- CROSS: in this order, whatever the planner makes of tables that it has no statistics of; each file finds its folder by the index.
      FROM files_before f CROSS JOIN plans ON plans.job_id = f.job_id
      CROSS JOIN folders_before b ON b.plan = plans.id
        AND b.path = rtrim(f.path, replace(replace(f.path, '/', ''), '\\', '')) AND b.key_prefix = rtrim(f.key, replace(f.key, '/', '')))
    ORDER BY plan, id;
  INSERT INTO parts SELECT (plans.id << 32) + p.file_id, p.number, p.size, p.etag, p.crc32
    FROM parts_before p JOIN files_before f ON f.id = p.file_id JOIN plans ON plans.job_id = f.job_id;
  DROP TABLE temp.folders_before;
  DROP TABLE parts_before;
  DROP TABLE files_before;
  CREATE INDEX files_by_done ON files (done);
  -- Those that are sent first, by their size; the small ones follow as they come.
  CREATE INDEX files_large ON files (id >> 32, -size) WHERE done = 0 AND size > 1048576;
  CREATE INDEX files_uploads ON files (id) WHERE upload_id IS NOT NULL AND done = 0;
  `,
  `
  -- When a job ended, as its events say, how, and how large its source was. NULL: it has not, or nobody has looked since its last event was written.
  ALTER TABLE jobs ADD COLUMN ended_at REAL;
  ALTER TABLE jobs ADD COLUMN ended_as TEXT;
  ALTER TABLE jobs ADD COLUMN ended_bytes INTEGER;
  CREATE INDEX jobs_by_end ON jobs (removed, ended_at);
  CREATE INDEX jobs_ended ON jobs (created_at) WHERE removed = 0 AND ended_at IS NOT NULL;
  CREATE INDEX jobs_ended_as ON jobs (ended_as, ended_at) WHERE removed = 0 AND ended_at IS NOT NULL;
  CREATE INDEX jobs_in_turn ON jobs (place);
  CREATE INDEX jobs_after ON jobs (predecessor) WHERE predecessor IS NOT NULL;
  CREATE INDEX jobs_of_source ON jobs (account_id, substr(paths, 1, 200));
  -- Which assets are of which jobs; orphan: one that had to be left behind. The journal itself notes them, whoever writes the event.
  CREATE TABLE job_assets (
    asset_id INTEGER NOT NULL,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    orphan INTEGER NOT NULL,
    PRIMARY KEY (asset_id, job_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_assets_of_job ON job_assets (job_id);
  CREATE TRIGGER job_assets_made AFTER INSERT ON events
    WHEN json_valid(NEW.event) AND NEW.event ->> '$.kind' IN ('asset-created', 'orphan-left')
      AND json_type(NEW.event, '$.assetId') = 'integer'
    BEGIN
      INSERT OR REPLACE INTO job_assets
        VALUES (NEW.event ->> '$.assetId', NEW.job_id, NEW.event ->> '$.kind' = 'orphan-left');
    END;
  INSERT OR REPLACE INTO job_assets
    SELECT e.event ->> '$.assetId', e.job_id, e.event ->> '$.kind' = 'orphan-left'
    FROM events e JOIN jobs j ON j.id = e.job_id
    WHERE CASE WHEN json_valid(e.event) THEN e.event ->> '$.kind' IN ('asset-created', 'orphan-left')
      AND json_type(e.event, '$.assetId') = 'integer' END
    ORDER BY e.seq;
  `,
  `
  -- What the last plan changed of the source that the fingerprint is of, and what the asset was made with: JSON; null for nothing.
  ALTER TABLE jobs ADD COLUMN changes_in_short TEXT;
  ALTER TABLE assets_made ADD COLUMN changes TEXT;
  -- 1: the files showed the kind of data in the body; nobody named it.
  ALTER TABLE jobs ADD COLUMN kind_detected INTEGER NOT NULL DEFAULT 0;
  `,
];

/** What the journal keeps besides jobs, those that others refer to first. */
export const watchTables = [
  'ledger',
  'taken_so_far',
  'activity',
  'receipts',
  'moves',
  'plans_seen',
  'contents_seen',
  'pauses',
  'after_ends',
  'held',
  'removed_rules',
  'restored_rules',
  'restored_sources',
  'batches',
  'noted_findings',
  'assets_made',
  'alert_conditions',
  'alert_events',
  'alert_messages',
  'alert_deliveries',
] as const;

/** The database was written by a version of Tilelift that knows more tables or columns. */
export class LaterVersion extends Error {
  override readonly name = 'LaterVersion';
}

/** Throws `LaterVersion`, having changed nothing. */
export function refuseLater(database: DatabaseSync): void {
  const version = versionOf(database);
  if (version > migrations.length)
    throw new LaterVersion(`the journal has version ${version}, known is ${migrations.length}`);
}

/** In one transaction: each waits for the disk, and a new journal would have dozens. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const due = steps.slice(versionOf(database));
  if (due.length === 0) return;
  database.exec(`BEGIN IMMEDIATE; ${due.join(';\n')}; PRAGMA user_version = ${steps.length}; COMMIT`);
}

/** Whether the database has the tables that this version knows, neither more nor less. */
export function isCurrent(database: DatabaseSync): boolean {
  return versionOf(database) === migrations.length;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
