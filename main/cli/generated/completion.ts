import type { Described } from './described.ts';

/** Shell completions, generated from the program. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** Pure. */
export function completionScript(shell: Shell, described: readonly Described[]): string {
  const [program] = described;
  const common = program?.options ?? [];
  const rows = described.map(({ path, subcommands, options }) => ({
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
      return fish(rows, described);
    case 'powershell':
      return powershell(rows);
  }
}

const help = { long: '--help', takesValue: false, description: '', choices: [] as readonly string[] };

interface Row {
  readonly path: string;
  readonly subcommands: readonly string[];
  readonly options: readonly {
    readonly long: string;
    readonly takesValue: boolean;
    readonly description: string;
    readonly choices: readonly string[];
  }[];
}

/** Commands are the words before the cursor that are neither options nor values. */
function bash(rows: readonly Row[]): string {
  const cases = rows.map(
    ({ path, subcommands, options }) =>
      `    ${quote(path)}) words=${quote([...subcommands, ...options.map(({ long }) => long)].join(' '))} ;;`,
  );
  const choices = choicesOf(rows).map(
    ([long, values]) =>
      `    ${long}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$cur")); return ;;`,
  );
  const plain = valueOptions(rows).filter((long) => !choicesOf(rows).some(([name]) => name === long));
  return `# bash completion of tilelift
_tilelift() {
  local cur prev path words word i
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  case "$prev" in
${[...choices, ...(plain.length > 0 ? [`    ${plain.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`] : [])].join('\n')}
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
      `    ${quote(path)}) words_=(${[...subcommands, ...options.map(({ long }) => long)].map(quote).join(' ')}) ;;`,
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

function fish(rows: readonly Row[], described: readonly Described[]): string {
  const lines = rows.flatMap(({ path, subcommands, options }) => {
    const words = path.split(' ').filter((word) => word !== '');
    const conditions = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const notYet = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
    const when = (conditionsToAdd: readonly string[]) => {
      const whole = [...conditions, ...conditionsToAdd].join('; and ');
      return whole === '' ? '' : ` -n ${quote(whole)}`;
    };
    const commands = subcommands.map((name) => {
      const description =
        described.find((candidate) => candidate.path === `${path} ${name}`.trim())?.description ?? '';
      return `complete -c tilelift${when(notYet)} -a ${name} -d ${quote(description)}`;
    });
    const flags = options.map(({ long, takesValue, description, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c tilelift${when([])} -l ${long.slice(2)}${values} -d ${quote(description)}`;
    });
    return [...commands, ...flags];
  });
  return `# fish completion of tilelift\n${lines.join('\n')}\n`;
}

function powershell(rows: readonly Row[]): string {
  const table = rows.map(
    ({ path, subcommands, options }) =>
      `    ${psQuote(path)} = @(${[...subcommands, ...options.map(({ long }) => long)].map(psQuote).join(', ')})`,
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
      options.flatMap(({ long, choices }) => (choices.length > 0 ? [[long, choices] as const] : [])),
    ),
  );
  return [...choices];
}

function valueOptions(rows: readonly Row[]): readonly string[] {
  return [
    ...new Set(
      rows.flatMap(({ options }) => options.flatMap(({ long, takesValue }) => (takesValue ? [long] : []))),
    ),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const psQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
