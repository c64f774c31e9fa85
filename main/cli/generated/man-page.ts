import { say } from '../../say.ts';
import { type ExitName, exitCodes } from '../exit-codes.ts';
import { exitWords } from '../program-help.ts';
import type { DescribedCommand } from './described.ts';

const variables = [
  ['TILELIFT_HOME', 'cli.man.envHome'],
  ['TILELIFT_TOKEN', 'cli.man.envToken'],
  ['TILELIFT_SERVICE_API, TILELIFT_SERVICE_SIGN_IN', 'cli.man.envService'],
  ['CREDENTIALS_DIRECTORY', 'cli.man.envCredentials'],
  ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'cli.man.envProxy'],
  ['NO_COLOR', 'cli.man.envNoColor'],
] as const;

/** `tilelift.1` in roff with the man macros. */
export function manPage(described: readonly DescribedCommand[], version: string): string {
  const [program, ...commands] = described;
  if (!program) return '';
  const lines = [
    `.TH TILELIFT 1 "" "Tilelift ${version}"`,
    '.SH NAME',
    `tilelift \\- ${roff(say('cli.man.name'))}`,
    `.SH ${roff(say('cli.man.synopsis'))}`,
    '.B tilelift',
    roff(program.usage),
    `.SH ${roff(say('cli.man.description'))}`,
    roff(program.description),
    `.SH ${roff(say('cli.man.commands'))}`,
    ...commands.flatMap(commandLines),
    `.SH ${roff(say('cli.man.common'))}`,
    ...program.options.flatMap(({ flags, description }) => item(flags, description)),
    `.SH ${roff(say('cli.man.exit'))}`,
    ...Object.entries(exitWords).flatMap(([name, key]) =>
      item(String(exitCodes[name as ExitName]), say(key)),
    ),
    `.SH ${roff(say('cli.man.environment'))}`,
    ...variables.flatMap(([name, key]) => item(name, say(key))),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({
  path,
  usage,
  description,
  args,
  options,
  examples,
}: DescribedCommand): readonly string[] {
  return [
    `.SS "tilelift ${path} ${roff(usage)}"`,
    roff(description),
    ...args.flatMap((arg) => item(arg.placeholder, arg.description)),
    ...options.flatMap((option) => item(option.flags, option.description)),
    ...(examples.length === 0
      ? []
      : ['.P', roff(say('cli.help.examples')), '.P', '.EX', ...examples.map(roff), '.EE']),
  ];
}

function item(listItem: string, text: string): readonly string[] {
  return ['.TP', `.B ${roff(listItem)}`, roff(text)];
}

/** Hyphens can be copied. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
