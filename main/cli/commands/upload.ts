import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';
import { type Cli, withService } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import {
  addPattern,
  checkUploadOptions,
  defaultGiveUpMinutes,
  parseCrs,
  parseMinutes,
  parsePosition,
  parseRate,
  type UploadOptions,
} from '../upload/options.ts';
import { addPath, UsageError } from '../usage-error.ts';

/** `tilelift upload PATH…`: running it again continues. */
export function addUpload(program: Command, cli: Cli): void {
  const command = program
    .command('upload')
    .description(say('cli.upload.description'))
    .argument('[path...]', say('cli.upload.path'), addPath)
    .option('--files-from <file>', say('cli.upload.optionFilesFrom'))
    .option('--exclude <pattern>', say('cli.upload.optionExclude'), addPattern, [])
    .option('--type <type>', say('cli.upload.optionType'))
    .option('--source-type <type>', say('cli.upload.optionSourceType'))
    .option('--name <name>', say('cli.upload.optionName'))
    .option('--description <text>', say('cli.upload.optionDescription'))
    .option('--options <json>', say('cli.upload.optionOptions'))
    .option('--preset <name>', say('cli.upload.optionPreset'))
    .option('--presets-file <file>', say('cli.upload.optionPresetsFile'))
    .option('--crs <epsg>', say('cli.upload.optionCrs'), parseCrs)
    .option('--position <lon,lat,height>', say('cli.upload.optionPosition'), parsePosition)
    .option('--clamp-to-terrain', say('cli.upload.optionClamp'), false)
    .option('--base-terrain <id|name>', say('cli.upload.optionBaseTerrain'))
    .option('--one-each', say('cli.upload.optionOneEach'), false)
    .option('--no-wait', say('cli.upload.optionNoWait'))
    .option('--check', say('cli.upload.optionCheck'), false)
    .option('--dry-run', say('cli.upload.optionDryRun'), false)
    .option('--limit-rate <rate>', say('cli.upload.optionLimitRate'), parseRate)
    .option('--receipt <file>', say('cli.upload.optionReceipt'))
    .option('--service <url>', say('cli.option.service'))
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
    "find . -name '*.laz' | tilelift upload --files-from - --crs EPSG:25833",
    "tilelift upload ./city --exclude '*.bak' --limit-rate 5M --dry-run",
  ]);
}

async function upload(
  baseCli: Cli,
  args: readonly string[] = [],
  uploadOptions: UploadOptions,
): Promise<void> {
  const { listedPaths, withOptionsRead } = await import('../upload/inputs.ts');
  const options = withOptionsRead(uploadOptions);
  checkUploadOptions(options);
  const cli = withService(baseCli, options.service);
  const paths = [...args, ...(await listedPaths(cli, options.filesFrom))];
  if (paths.length === 0)
    throw new UsageError({ key: 'cli.usage.missingArgument', values: { argument: 'path' } });
  const missingPath = paths.find((path) => !existsSync(path));
  const { codeOfMissing } = await import('../../files/walk/scan.ts');
  if (missingPath !== undefined)
    throw new TileliftError(codeOfMissing(missingPath), { subject: missingPath });
  const { runUpload } = await import('../upload/run-upload.ts');
  cli.finish(await runUpload(cli, paths, options));
}
