import { Argument, type Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { type ShellName, shells } from '../generated/completion.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift completion SHELL`, and `tilelift man` for packaging. */
export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description(say('cli.completion.description'))
    .addArgument(new Argument('<shell>', say('cli.completion.shell')).choices(shells))
    .action(async (shell: ShellName) => {
      const { completionScript } = await import('../generated/completion.ts');
      const { describeProgram } = await import('../generated/described.ts');
      cli.stdout.write(completionScript(shell, describeProgram(program)));
      cli.finish(exitCodes.complete);
    });
  addExamples(command, [
    'tilelift completion bash > ~/.local/share/bash-completion/completions/tilelift',
    'tilelift completion fish > ~/.config/fish/completions/tilelift.fish',
    'tilelift completion powershell | Out-String | Invoke-Expression',
  ]);
  program.command('man', { hidden: true }).action(async () => {
    const { manPage } = await import('../generated/man-page.ts');
    const { describeProgram } = await import('../generated/described.ts');
    cli.stdout.write(manPage(describeProgram(program), cli.version));
    cli.finish(exitCodes.complete);
  });
}
