/**
 * The journal's tables, without secrets. After the first release, changes become entries of `migrations`
 * (journal-version.ts).
 */
export const schema = `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    paths TEXT NOT NULL,
    body TEXT NOT NULL,
    -- 1: the files showed the kind of data in the body; the user didn't name it.
    kind_detected INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    accept_forecast INTEGER NOT NULL DEFAULT 0,
    -- JSON: what the job must find in its source to send it.
    exactly TEXT,
    -- JSON: what the user decided about files of the source.
    changes TEXT,
    -- JSON: what the latest plan changed of the source that the fingerprint describes; NULL for nothing.
    changes_in_short TEXT,
    -- Of everything that the latest scan found.
    fingerprint TEXT,
    -- What the source held when the job was requested.
    expected_files INTEGER,
    expected_bytes INTEGER,
    -- The job that this one replaces; it may be gone.
    predecessor TEXT,
    -- Position in the queue: the lowest starts first.
    place INTEGER NOT NULL DEFAULT 0,
    -- 1: its rows are being cleared; 2: its row was unreadable; 3: the user may still restore it.
    removed INTEGER NOT NULL DEFAULT 0,
    removed_at REAL,
    -- When and how it ended, and the size of its source. NULL: not ended, or not worked out since its last event.
    ended_at REAL,
    ended_as TEXT,
    ended_bytes INTEGER
  ) STRICT;
  CREATE INDEX jobs_by_end ON jobs (removed, ended_at);
  CREATE INDEX jobs_ended ON jobs (created_at) WHERE removed = 0 AND ended_at IS NOT NULL;
  CREATE INDEX jobs_ended_as ON jobs (ended_as, ended_at) WHERE removed = 0 AND ended_at IS NOT NULL;
  CREATE INDEX jobs_in_turn ON jobs (place);
  CREATE INDEX jobs_after ON jobs (predecessor) WHERE predecessor IS NOT NULL;
  CREATE INDEX jobs_of_source ON jobs (account_id, substr(paths, 1, 200));

  -- A job's state is what its events, in order, make of a new job.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_of_job ON events (job_id, seq);

  -- Rows that could not be read, as they were. Kind: 'job' or 'event'.
  CREATE TABLE unreadable (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

  -- The assets of each job; orphan: one that had to be left behind. A trigger fills it, so no writer of events can forget it.
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

  -- The latest complete asset of a source, by its fingerprint. Changes: as jobs.changes_in_short.
  CREATE TABLE assets_made (
    account_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    asset_id INTEGER NOT NULL,
    at REAL NOT NULL,
    changes TEXT,
    PRIMARY KEY (account_id, fingerprint)
  ) STRICT, WITHOUT ROWID;

  -- What is sent for a job. Counts are updated as files are added and confirmed, so nothing reads all files to count them.
  -- At most 2,097,151 plans, so that ids of files stay exact numbers.
  CREATE TABLE plans (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 2097151),
    job_id TEXT NOT NULL UNIQUE REFERENCES jobs (id) ON DELETE CASCADE,
    files INTEGER NOT NULL DEFAULT 0,
    done_files INTEGER NOT NULL DEFAULT 0,
    done_bytes INTEGER NOT NULL DEFAULT 0,
    done_parts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- What precedes the names of files, separator included, in paths and in keys; one folder may have several rows. Device: see files.inode.
  CREATE TABLE folders (
    plan INTEGER NOT NULL,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    key_prefix TEXT NOT NULL,
    device TEXT,
    PRIMARY KEY (plan, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE files (
    -- Its plan times 2^32, plus its number in it: the files of a plan are stored together.
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
    -- An MD5 as 16 bytes, all zero while unknown: a growing row would split its page. Other ETags as text.
    etag ANY NOT NULL DEFAULT (zeroblob(16)),
    -- The checksum that storage compared: 0 CRC32, 1 MD5, NULL unknown.
    compared_by INTEGER,
    -- Which file it was: a number is its inode, on its folder's device; text names both. NULL: unknown, or not stable.
    inode ANY,
    -- NULL: nothing is known about its identity.
    ctime_ms REAL,
    content_md5 TEXT,
    upload_id TEXT,
    -- What its multipart upload was declared to carry: 'parts', 'whole'; NULL for nothing.
    upload_checksum TEXT,
    -- 1: the request to complete its upload was sent, with whatever outcome.
    complete_sent INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX files_by_done ON files (done);
  -- Large files are sent first, by size; small ones follow in their order.
  CREATE INDEX files_large ON files (id >> 32, -size) WHERE done = 0 AND size > 1048576;
  CREATE INDEX files_uploads ON files (id) WHERE upload_id IS NOT NULL AND done = 0;
  CREATE TABLE parts (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    -- Where storage compared it; NULL: its MD5 was compared.
    crc32 INTEGER,
    PRIMARY KEY (file_id, number)
  ) STRICT, WITHOUT ROWID;
  -- Content of files that exist in the upload alone; most of a job are equal.
  CREATE TABLE file_contents (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    md5 TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (job_id, md5)
  ) STRICT, WITHOUT ROWID;
  -- Multipart uploads that cost money until they are aborted. They outlive their jobs.
  CREATE TABLE owed_aborts (
    job_id TEXT NOT NULL,
    key TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    PRIMARY KEY (job_id, key, upload_id)
  ) STRICT, WITHOUT ROWID;
  -- How fast the latest uploads of an account went. Files: small files of the measurement; 0 if it was of large ones.
  CREATE TABLE speeds (
    seq INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    files INTEGER NOT NULL,
    ms REAL NOT NULL
  ) STRICT;
  CREATE INDEX speeds_of_account ON speeds (account_id, seq);

  -- The sources that rules have taken: one row for a rule and path. The checks let a rescue recognize damaged rows.
  CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY,
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    identity TEXT NOT NULL,
    newest_ms REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN
      ('seen', 'skipped', 'taken', 'complete', 'waits-for-change', 'waits-for-retry', 'waits-for-person')),
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
    bytes INTEGER NOT NULL,
    -- When all bytes of the latest job were in storage; a trigger fills it.
    uploaded_at REAL,
    -- When storage refused it, which pauses its rule; 0: storage has accepted another source since.
    refused_at REAL,
    -- Why the user is asked about it, or 'upload' where the user has chosen that; NULL: neither.
    standing TEXT,
    standing_since REAL,
    -- The source when this row was written, ctimes included. NULL: unknown.
    marks TEXT,
    -- What was uploaded of it. NULL: not worked out yet.
    content TEXT
  ) STRICT;
  CREATE UNIQUE INDEX ledger_places ON ledger (rule_id, path);
  CREATE INDEX ledger_any_case ON ledger (rule_id, path COLLATE NOCASE);
  CREATE INDEX ledger_identities ON ledger (rule_id, identity);
  CREATE INDEX ledger_jobs ON ledger (job_id) WHERE job_id IS NOT NULL;
  CREATE INDEX ledger_by_time ON ledger (rule_id, taken_at);
  CREATE INDEX ledger_states ON ledger (rule_id, state);
  CREATE INDEX ledger_standings ON ledger (rule_id) WHERE standing IS NOT NULL;
  CREATE INDEX ledger_taken ON ledger (seq) WHERE state = 'taken';
  CREATE INDEX ledger_refused ON ledger (rule_id) WHERE refused_at > 0;
  CREATE INDEX ledger_retries ON ledger (rule_id, retry_at) WHERE state = 'waits-for-retry';
  CREATE TRIGGER ledger_uploaded AFTER INSERT ON events
    WHEN json_valid(NEW.event) AND NEW.event ->> '$.kind' = 'upload-finished'
    BEGIN UPDATE ledger SET uploaded_at = NEW.event ->> '$.at' WHERE job_id = NEW.job_id; END;
  -- How many sources a rule has taken, and when last. Only increases.
  CREATE TABLE taken_so_far (
    rule_id TEXT PRIMARY KEY,
    sources INTEGER NOT NULL,
    last_at REAL NOT NULL
  ) STRICT;
  -- Content of sources when they were last read to compare it.
  CREATE TABLE contents_seen (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT, WITHOUT ROWID;
  -- Which files arrived together: a JSON array of paths. One row, since a batch of 100,000 files is written in one transaction.
  CREATE TABLE batches (
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (rule_id, path)
  ) STRICT;
  -- Rules that are gone, and the folders of what the ledger still has of them.
  CREATE TABLE removed_rules (
    rule_id TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    unit TEXT NOT NULL,
    removed_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX removed_rules_of_folder ON removed_rules (folder, unit);
  -- Rules whose ledger may lack rows since the journal came back from a backup, until their next full scan.
  CREATE TABLE restored_rules (
    rule_id TEXT PRIMARY KEY
  ) STRICT;

  -- Finished sources that are being moved, so that a start can finish what a kill interrupted. Moves: JSON, names below both folders.
  CREATE TABLE moves (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    target TEXT NOT NULL,
    moves TEXT NOT NULL CHECK (json_valid(moves))
  ) STRICT;
  CREATE INDEX moves_from ON moves (folder, seq);
  -- Receipts as files and programs, for sources that have ended; done ones stay for a while, so that an end noted twice acts once.
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
  -- Findings and degrees of a source that was taken, for its receipt: JSON.
  CREATE TABLE noted_inspections (
    job_id TEXT PRIMARY KEY,
    inspection TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE receipts (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    rule_id TEXT NOT NULL,
    ended_at REAL NOT NULL,
    receipt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX receipts_by_time ON receipts (ended_at, seq);
  CREATE INDEX receipts_of_rule ON receipts (rule_id, ended_at, seq);
  CREATE INDEX receipts_of_asset ON receipts (CASE WHEN json_valid(receipt) THEN receipt ->> '$.assetId' END, rule_id);
  -- Said: JSON, in no language.
  CREATE TABLE activity (
    seq INTEGER PRIMARY KEY,
    rule_id TEXT NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL,
    said TEXT NOT NULL CHECK (json_valid(said))
  ) STRICT;
  CREATE INDEX activity_of_rule ON activity (rule_id, seq);

  -- What lasts in watched folders (a wait, a silence), since when, and whether it was told.
  CREATE TABLE alert_conditions (
    name TEXT PRIMARY KEY,
    since REAL NOT NULL,
    told INTEGER NOT NULL
  ) STRICT;
  -- JSON: what is to be told once; message is NULL until it is part of one.
  CREATE TABLE alert_events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    what TEXT NOT NULL CHECK (json_valid(what)),
    message TEXT
  ) STRICT;
  CREATE INDEX alert_events_untold ON alert_events (at) WHERE message IS NULL;
  -- JSON: a message as each way sends it.
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
`;

/** In order of their references. */
export const watchTables = [
  'ledger',
  'taken_so_far',
  'activity',
  'receipts',
  'moves',
  'contents_seen',
  'after_ends',
  'removed_rules',
  'restored_rules',
  'batches',
  'noted_inspections',
  'assets_made',
  'alert_conditions',
  'alert_events',
  'alert_messages',
  'alert_deliveries',
] as const;
