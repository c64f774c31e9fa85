import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import { runPowershell } from '../windows-file.ts';

/** Runs a program and returns its output. */
type Run = (program: string, args: readonly string[]) => Promise<string>;

/** Location of a policy from device management; it replaces the policy file (docs/administration.md). */
interface ManagedPolicy {
  /** Named in errors. */
  readonly path: string;
  readonly text: string;
}

interface ManagedOptions {
  readonly run?: Run;
  readonly powershell?: (script: string) => Promise<string>;
  readonly exists?: (path: string) => boolean;
}

const registryKey = 'Software\\Policies\\Tilelift';
/** Every Windows has it, and every user may read it. */
const knownKey = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
const profile = '/Library/Managed Preferences/org.tilelift.desktop.plist';
const maxBytes = 4 * 1024 * 1024;

/**
 * The policy of device management, as JSON: a configuration profile on macOS, group policy on Windows. Only
 * the system writes to these places. Null if there is none.
 */
export async function managedPolicy(
  platform: NodeJS.Platform,
  { run = runProgram, powershell = runPowershell, exists = existsSync }: ManagedOptions = {},
): Promise<ManagedPolicy | null> {
  if (platform === 'darwin') {
    if (!exists(profile)) return null;
    return { path: profile, text: await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', profile]) };
  }
  if (platform !== 'win32') return null;
  const path = `HKLM\\${registryKey}`;
  // PowerShell takes long to start, and most computers have no such key. A policy may forbid reg.exe.
  const isReadable = (key: string) =>
    run('C:\\Windows\\System32\\reg.exe', ['query', key]).then(
      () => true,
      () => false,
    );
  if (!(await isReadable(path)) && (await isReadable(knownKey))) return null;
  const values = registrySchema.parse(JSON.parse(await powershell(readValues)));
  return values.length === 0 ? null : { path, text: policyOfValues(values) };
}

const registrySchema = z.array(z.object({ name: z.string(), kind: z.string(), data: z.base64() }).readonly());

/** Base64 keeps names in every language. */
const readValues = `
$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey('${registryKey}')
$values = @()
if ($key -ne $null) {
  $values = @($key.GetValueNames() | ForEach-Object {
    $text = [string]::Join([char]10, @($key.GetValue($_)))
    $data = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($text))
    @{ name = $_; kind = [string]$key.GetValueKind($_); data = $data }
  })
}
ConvertTo-Json -Compress -InputObject $values
`;

/**
 * The policy of registry values: names are keys such as `updates.allowed`, numbers are booleans, and texts
 * that begin with a brace or bracket are JSON. Pure.
 * @throws SyntaxError for a text that isn't JSON
 */
function policyOfValues(values: z.infer<typeof registrySchema>): string {
  const policy: Record<string, unknown> = {};
  for (const { name, kind, data } of values) {
    const text = Buffer.from(data, 'base64').toString('utf8').trim();
    const value = kind === 'DWord' ? text !== '0' : /^[[{]/.test(text) ? JSON.parse(text) : text;
    const [key = '', field] = name.split('.');
    if (field === undefined) policy[key] = value;
    else policy[key] = { ...Object(policy[key]), [field]: value };
  }
  return JSON.stringify(policy, null, 2);
}

async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { windowsHide: true, maxBuffer: maxBytes });
  return stdout;
}
