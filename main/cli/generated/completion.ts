import type { DescribedCommand } from './described.ts';

/** Shell completions, generated from the program. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type ShellName = (typeof shells)[number];

/** Pure. */
export function completionScript(shell: ShellName, commands: readonly DescribedCommand[]): string {
  const [program] = commands;
  const common = program?.options ?? [];
  const rows = commands.map(({ path, subcommands, options }) => ({
    path,
    subcommands,
    options: path === '' ? common : [...options, ...common, help],
  }));
  switch (shell) {
    case 'bash':
      return bash(rows);
    case 'zsh':
      return zsh(rows);
    case 'fish':
      return fish(rows, commands);
    case 'powershell':
      return powershell(rows);
  }
}

const help = { flag: '--help', takesValue: false, description: '', choices: [] as readonly string[] };

interface Row {
  readonly path: string;
  readonly subcommands: readonly string[];
  readonly options: readonly {
    readonly flag: string;
    readonly takesValue: boolean;
    readonly description: string;
    readonly choices: readonly string[];
  }[];
}

/** Commands are the words before the cursor that are neither options nor values. */
function bash(rows: readonly Row[]): string {
  const cases = rows.map(
    ({ path, subcommands, options }) =>
      `    ${quote(path)}) words=${quote([...subcommands, ...options.map(({ flag }) => flag)].join(' '))} ;;`,
  );
  const choices = choicesOf(rows).map(
    ([flag, values]) =>
      `    ${flag}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$cur")); return ;;`,
  );
  const plainFlags = valueOptions(rows).filter((flag) => !choicesOf(rows).some(([name]) => name === flag));
  return `# bash completion of tilelift
_tilelift() {
  local cur prev path words word i
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  case "$prev" in
${[...choices, ...(plainFlags.length > 0 ? [`    ${plainFlags.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`] : [])].join('\n')}
  esac
  path=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "\${path:+$path }$word" in
${rows
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quote(path)}) path=${quote(path)} ;;`)
  .join('\n')}
    esac
  done
  words=''
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ "$cur" != -* ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _tilelift tilelift
`;
}

function zsh(rows: readonly Row[]): string {
  const cases = rows.map(
    ({ path, subcommands, options }) =>
      `    ${quote(path)}) words_=(${[...subcommands, ...options.map(({ flag }) => flag)].map(quote).join(' ')}) ;;`,
  );
  return `#compdef tilelift
_tilelift() {
  local path_='' word i
  local -a words_
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "\${path_:+$path_ }$word" in
${rows
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quote(path)}) path_=${quote(path)} ;;`)
  .join('\n')}
    esac
  done
  case "$path_" in
${cases.join('\n')}
  esac
  compadd -- "\${words_[@]}"
  _files
}
compdef _tilelift tilelift
`;
}

function fish(rows: readonly Row[], described: readonly DescribedCommand[]): string {
  const lines = rows.flatMap(({ path, subcommands, options }) => {
    const words = path.split(' ').filter((word) => word !== '');
    const conditions = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const notYet = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
    const conditionClause = (conditionsToAdd: readonly string[]) => {
      const conjunction = [...conditions, ...conditionsToAdd].join('; and ');
      return conjunction === '' ? '' : ` -n ${quote(conjunction)}`;
    };
    const commands = subcommands.map((name) => {
      const description =
        described.find((candidate) => candidate.path === `${path} ${name}`.trim())?.description ?? '';
      return `complete -c tilelift${conditionClause(notYet)} -a ${name} -d ${quote(description)}`;
    });
    const flags = options.map(({ flag, takesValue, description, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c tilelift${conditionClause([])} -l ${flag.slice(2)}${values} -d ${quote(description)}`;
    });
    return [...commands, ...flags];
  });
  return `# fish completion of tilelift\n${lines.join('\n')}\n`;
}

function powershell(rows: readonly Row[]): string {
  const table = rows.map(
    ({ path, subcommands, options }) =>
      `    ${psQuote(path)} = @(${[...subcommands, ...options.map(({ flag }) => flag)].map(psQuote).join(', ')})`,
  );
  return `# PowerShell completion of tilelift
Register-ArgumentCompleter -Native -CommandName tilelift -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
${table.join('\n')}
  }
  $path = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $next = "$path $element".Trim()
    if ($table.ContainsKey($next)) { $path = $next }
  }
  $table[$path] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $_)
  }
}
`;
}

function choicesOf(rows: readonly Row[]): readonly (readonly [string, readonly string[]])[] {
  const choices = new Map(
    rows.flatMap(({ options }) =>
      options.flatMap(({ flag, choices }) => (choices.length > 0 ? [[flag, choices] as const] : [])),
    ),
  );
  return [...choices];
}

function valueOptions(rows: readonly Row[]): readonly string[] {
  return [
    ...new Set(
      rows.flatMap(({ options }) => options.flatMap(({ flag, takesValue }) => (takesValue ? [flag] : []))),
    ),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const psQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
