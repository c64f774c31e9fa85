import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift licenses`: prints the notices of the package. */
export function addLicenses(program: Command, cli: Cli): void {
  const command = program
    .command('licenses')
    .description(say('cli.licenses.description'))
    .action(async () => {
      const { readFile } = await import('node:fs/promises');
      const { noticesFile } = await import('../../notices-file.ts');
      cli.stdout.write(await readFile(noticesFile(), 'utf8'));
      cli.finish(exitCodes.complete);
    });
  addExamples(command, ['tilelift licenses | less']);
}
