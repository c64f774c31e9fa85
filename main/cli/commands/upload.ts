import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import {
  checkUploadOptions,
  defaultGiveUpMinutes,
  parseMinutes,
  type UploadOptions,
} from '../upload/options.ts';
import { addPath } from '../usage-error.ts';

/** `tilelift upload PATH…`: running it again continues. */
export function addUpload(program: Command, cli: Cli): void {
  const command = program
    .command('upload')
    .description(say('cli.upload.description'))
    .argument('<path...>', say('cli.upload.path'), addPath)
    .option('--type <type>', say('cli.upload.optionType'))
    .option('--source-type <type>', say('cli.upload.optionSourceType'))
    .option('--name <name>', say('cli.upload.optionName'))
    .option('--description <text>', say('cli.upload.optionDescription'))
    .option('--options <json>', say('cli.upload.optionOptions'))
    .option('--clamp-to-terrain', say('cli.upload.optionClamp'), false)
    .option('--base-terrain <id|name>', say('cli.upload.optionBaseTerrain'))
    .option('--one-each', say('cli.upload.optionOneEach'), false)
    .option('--no-wait', say('cli.upload.optionNoWait'))
    .option('--check', say('cli.upload.optionCheck'), false)
    .option('--accept-forecast', say('cli.upload.optionAcceptForecast'), false)
    .option('--again', say('cli.upload.optionAgain'), false)
    .option(
      '--give-up-after <minutes>',
      say('cli.upload.optionGiveUp', { minutes: defaultGiveUpMinutes }),
      parseMinutes,
      defaultGiveUpMinutes,
    )
    .action((paths: readonly string[], options: UploadOptions) => upload(cli, paths, options));
  addExamples(command, [
    'tilelift upload ./city --name "Old town"',
    'tilelift upload city.zip --source-type CITYGML --clamp-to-terrain',
    'tilelift upload scan.laz --options \'{"inputCrs":"EPSG:25833"}\' --json',
    'tilelift upload north.tif south.tif --one-each --no-wait',
  ]);
}

async function upload(cli: Cli, paths: readonly string[], options: UploadOptions): Promise<void> {
  checkUploadOptions(options);
  const missing = paths.find((path) => !existsSync(path));
  const { codeOfMissing } = await import('../../files/walk/scan.ts');
  if (missing !== undefined) throw new TileliftError(codeOfMissing(missing), { subject: missing });
  const { runUpload } = await import('../upload/run-upload.ts');
  cli.finish(await runUpload(cli, paths, options));
}
