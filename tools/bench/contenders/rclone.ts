import { type Contender, credentials, type Found, plainEnvironment } from './contender.ts';
import { findPrograms, type Program } from './programs.ts';

const withChecksum = ['--transfers', '16', '--s3-chunk-size', '8M', '--s3-upload-concurrency', '8'];
const withoutExtras = [...withChecksum, '--s3-disable-checksum', '--s3-no-head', '--s3-no-check-bucket'];

/** `rclone copy`, with its checks as they come, and with all left out that the others don't do either. */
export async function findRclone(): Promise<Found> {
  const [program] = await findPrograms('rclone', 'version');
  if (!program) return { missing: 'no rclone on PATH' };
  const parallel = '8 MiB parts, 8 at a time; 16 files at a time';
  return {
    contenders: [
      contender('rclone copy', `${program.version}, ${parallel}`, program, withChecksum),
      contender(
        'rclone copy tuned',
        `${program.version}, ${parallel}; no MD5 of the whole file (parts keep theirs), no HEAD after each file, no look for the bucket`,
        program,
        withoutExtras,
      ),
    ],
  };
}

function contender(name: string, about: string, program: Program, flags: readonly string[]): Contender {
  return {
    name,
    role: 'peer',
    about,
    command: (work, { endpoint, bucket, caFile }) => ({
      file: program.file,
      args: ['copy', '--config', '', '--ca-cert', caFile, ...flags, work.path, `sink:${bucket}/${work.id}`],
      env: plainEnvironment({
        RCLONE_CONFIG_SINK_TYPE: 's3',
        RCLONE_CONFIG_SINK_PROVIDER: 'Other',
        RCLONE_CONFIG_SINK_ENDPOINT: endpoint,
        RCLONE_CONFIG_SINK_REGION: 'us-east-1',
        RCLONE_CONFIG_SINK_FORCE_PATH_STYLE: 'true',
        RCLONE_CONFIG_SINK_ACCESS_KEY_ID: credentials.accessKey,
        RCLONE_CONFIG_SINK_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        RCLONE_CONFIG_SINK_SESSION_TOKEN: credentials.sessionToken,
      }),
    }),
  };
}
