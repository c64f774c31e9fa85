import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

/** What Windows says of a file and of the folders that it is in. */
export interface WindowsFile {
  /** Empty unless it was asked for. */
  readonly text: string;
  /** The security identifier of the current user: "S-1-5-21-…". */
  readonly user: string;
  /** Owner and access list of the very file that the text was read from. */
  readonly sddl: string;
  /** Of each folder above it, the nearest first. */
  readonly folders: readonly string[];
}

/** Runs a script in Windows PowerShell and gives what it wrote. */
type RunPowershell = (script: string) => Promise<string>;

const answerSchema = z.object({
  ...{ text: z.base64(), user: z.string(), sddl: z.string() },
  folders: z.array(z.string()),
});

/**
 * Reads a file and asks who may write it, both by one handle: a file that is put in its place meanwhile is
 * neither. Node knows nothing of access lists, so Windows PowerShell does the reading, where it runs in its
 * full language. A folder that is a link leads elsewhere than it is: that rejects, as does what can't be
 * read.
 *
 * @param levels how many folders above are looked at
 */
export async function readOnWindows(
  path: string,
  levels: number,
  run: RunPowershell = runPowershell,
): Promise<WindowsFile> {
  const answer = answerSchema.parse(JSON.parse(await run(script(path, levels, true))));
  return { ...answer, text: Buffer.from(answer.text, 'base64').toString('utf8') };
}

/** As `readOnWindows`, without the text and up to the root of the drive or share. */
export async function accessOnWindows(
  path: string,
  run: RunPowershell = runPowershell,
): Promise<Omit<WindowsFile, 'text'>> {
  return answerSchema.parse(JSON.parse(await run(script(path, maxLevels, false))));
}

/** Windows takes no deeper paths: 32,767 characters, half of them separators. */
const maxLevels = 16_384;

/** Exported for its test. */
export function script(path: string, levels: number, withText: boolean): string {
  return `
$ErrorActionPreference = 'Stop'
$path = '${path.replaceAll("'", "''")}'
$parts = [System.Security.AccessControl.AccessControlSections]'Owner, Access'
$file = [System.IO.File]::Open($path, 'Open', 'Read', 'Read')
try {
  $sddl = $file.GetAccessControl().GetSecurityDescriptorSddlForm($parts)
  $bytes = [byte[]]@()
${withText ? readBytes : ''}} finally { $file.Close() }
$folders = @()
$folder = [System.IO.Directory]::GetParent($path)
for ($level = 0; $level -lt ${levels} -and $folder -ne $null; $level++) {
  if ($folder.Attributes -band [System.IO.FileAttributes]::ReparsePoint) { throw 'a folder is a link' }
  $folders += $folder.GetAccessControl($parts).GetSecurityDescriptorSddlForm($parts)
  $folder = $folder.Parent
}
$user = [System.Security.Principal.WindowsIdentity]::GetCurrent().User.Value
$text = [Convert]::ToBase64String($bytes)
ConvertTo-Json -Compress @{ text = $text; user = $user; sddl = $sddl; folders = @($folders) }
`;
}

const readBytes = `  $reader = New-Object System.IO.BinaryReader($file)
  $bytes = $reader.ReadBytes([int]$file.Length)
`;

/** As `policyPath`: by a path that no environment can change. */
const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const patienceMs = 20_000;
const maxOutput = 16 * 1024 * 1024;

async function runPowershell(text: string): Promise<string> {
  // Encoded, so that no quotation mark in it is read by anyone else.
  const encoded = Buffer.from(text, 'utf16le').toString('base64');
  const { stdout } = await promisify(execFile)(
    powershell,
    ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
    { timeout: patienceMs, windowsHide: true, maxBuffer: maxOutput },
  );
  return stdout;
}
