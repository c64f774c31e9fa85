import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contender, credentials, type Found, plainEnvironment } from './contender.ts';
import { findPrograms, type Program } from './programs.ts';

/** As AWS's own guide to `s3` settings suggests for a fast line. */
const tunedConfig = `[default]
s3 =
  max_concurrent_requests = 20
  multipart_threshold = 16MB
  multipart_chunksize = 16MB
`;

/** `aws s3 cp` of the newest major version on PATH, as it comes and tuned. */
export async function findAwsCli(folder: string): Promise<Found> {
  const programs = await findPrograms('aws', '--version');
  const [newest] = programs.toSorted((a, b) => majorOf(b) - majorOf(a));
  if (!newest) return { missing: 'no aws on PATH' };
  const asItComes = join(folder, 'aws-as-it-comes.ini');
  const tuned = join(folder, 'aws-tuned.ini');
  await writeFile(asItComes, '[default]\n');
  await writeFile(tuned, tunedConfig);
  const version = newest.version.split(' ')[0] ?? '';
  return {
    contenders: [
      contender('aws s3 cp', `${version}, as it comes: 8 MiB parts, 10 at a time`, newest, asItComes),
      contender('aws s3 cp tuned', `${version}, 16 MiB parts, 20 at a time`, newest, tuned),
    ],
  };
}

function contender(name: string, about: string, program: Program, config: string): Contender {
  return {
    name,
    role: 'peer',
    about,
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
