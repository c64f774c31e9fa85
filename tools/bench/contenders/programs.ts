import { execFile } from 'node:child_process';
import { access, constants, realpath, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Contender, credentials, type FoundContenders, plainEnvironment } from './contender.ts';

interface Program {
  readonly file: string;
  readonly version: string;
}

const exec = promisify(execFile);

/** Every program of that name on PATH that prints a version, without duplicates. */
export async function findPrograms(name: string, ...question: string[]): Promise<readonly Program[]> {
  const foundPrograms = new Map<string, Program>();
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      const realFile = await realpath(file);
      if (foundPrograms.has(realFile)) continue;
      const { stdout } = await exec(file, question, { env: plainEnvironment() });
      foundPrograms.set(realFile, { file, version: stdout.split('\n')[0]?.trim() ?? '' });
    } catch {
      // Not a contender.
    }
  }
  return [...foundPrograms.values()];
}

/** Values from AWS's guide to the `s3` settings for a fast line. */
const tunedConfig = `[default]
s3 =
  max_concurrent_requests = 20
  multipart_threshold = 16MB
  multipart_chunksize = 16MB
`;

/** aws-cli's C client derives part size and connections from a rate in Gbit/s. */
const crtConfig = `[default]
s3 =
  preferred_transfer_client = crt
  target_bandwidth = 10Gb/s
`;

/** `aws s3 cp` of the newest major version on PATH: with defaults, tuned, and with its CRT client. */
export async function findAwsCli(folder: string): Promise<FoundContenders> {
  const programs = await findPrograms('aws', '--version');
  const [newest] = programs.toSorted((a, b) => majorOf(b) - majorOf(a));
  if (!newest) return { missing: 'no aws on PATH' };
  const asItComes = join(folder, 'aws-as-it-comes.ini');
  const tuned = join(folder, 'aws-tuned.ini');
  await writeFile(asItComes, '[default]\n');
  const crt = join(folder, 'aws-crt.ini');
  await writeFile(tuned, tunedConfig);
  await writeFile(crt, crtConfig);
  const version = newest.version.split(' ')[0] ?? '';
  return {
    contenders: [
      awsContender('aws s3 cp', `${version}, as it comes: 8 MiB parts, 10 at a time`, newest, asItComes),
      awsContender('aws s3 cp tuned', `${version}, 16 MiB parts, 20 at a time`, newest, tuned),
      {
        ...awsContender('aws s3 cp crt', `${version}, CRT client; no checksum`, newest, crt),
        sendsChecksum: false,
        missingFor: ({ endpoint }) =>
          new URL(endpoint).port === ''
            ? null
            : 'it reaches the standard ports only, which are not free here',
      },
    ],
  };
}

function awsContender(name: string, summary: string, program: Program, config: string): Contender {
  return {
    name,
    role: 'peer',
    sendsChecksum: true,
    summary,
    command: (work, { endpoint, bucket, caFile }) => ({
      file: program.file,
      args: [
        ...['--endpoint-url', endpoint, 's3', 'cp', '--only-show-errors'],
        ...(work.shape === 'folder' ? ['--recursive'] : []),
        work.path,
        `s3://${bucket}/${work.id}/`,
      ],
      env: plainEnvironment({
        AWS_CONFIG_FILE: config,
        AWS_ACCESS_KEY_ID: credentials.accessKey,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_SESSION_TOKEN: credentials.sessionToken,
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_CA_BUNDLE: caFile,
      }),
    }),
  };
}

function majorOf({ version }: Program): number {
  return Number(/aws-cli\/(\d+)/.exec(version)?.[1] ?? 0);
}

const withChecksum = ['--transfers', '16', '--s3-chunk-size', '8M', '--s3-upload-concurrency', '8'];
const withoutExtras = [...withChecksum, '--s3-disable-checksum', '--s3-no-head', '--s3-no-check-bucket'];

/** `rclone copy` with its default checks, and without the checks that the others don't make. */
export async function findRclone(): Promise<FoundContenders> {
  const [program] = await findPrograms('rclone', 'version');
  if (!program) return { missing: 'no rclone on PATH' };
  const parallel = '8 MiB parts, 8 at a time; 16 files at a time';
  return {
    contenders: [
      rcloneContender('rclone copy', `${program.version}, ${parallel}`, program, withChecksum),
      rcloneContender(
        'rclone copy tuned',
        `${program.version}, ${parallel}; no MD5 of the whole file (parts keep theirs), no HEAD after each file, no look for the bucket`,
        program,
        withoutExtras,
      ),
    ],
  };
}

function rcloneContender(
  name: string,
  summary: string,
  program: Program,
  flags: readonly string[],
): Contender {
  return {
    name,
    role: 'peer',
    sendsChecksum: true,
    summary,
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
