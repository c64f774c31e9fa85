import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Windows' access information about a file and its folders. */
export interface WindowsFile {
  /** Empty unless requested. */
  readonly text: string;
  /** The current user's security identifier: "S-1-5-21-…". */
  readonly user: string;
  /** Owner and access list of the opened file. */
  readonly sddl: string;
  /** The same for each parent folder, nearest first. */
  readonly folders: readonly string[];
}

/** Runs a script in Windows PowerShell and returns its output. */
type RunPowershell = (script: string) => Promise<string>;

const answerSchema = z.object({
  ...{ text: z.base64(), user: z.string(), sddl: z.string() },
  folders: z.array(z.string()),
});

/**
 * Reads a file and its access list by one handle, so that it can't be replaced in between. Uses Windows
 * PowerShell in full language mode, since Node can't read access lists. Rejects if a folder is a link or
 * anything is unreadable.
 * @param levels number of parent folders to check
 */
export async function readOnWindows(
  path: string,
  levels: number,
  run: RunPowershell = runPowershell,
): Promise<WindowsFile> {
  const answer = answerSchema.parse(JSON.parse(await run(script(path, levels, true))));
  return { ...answer, text: Buffer.from(answer.text, 'base64').toString('utf8') };
}

/** Like `readOnWindows`, without the text and up to the root of the drive or share. */
export async function accessOnWindows(
  path: string,
  run: RunPowershell = runPowershell,
): Promise<Omit<WindowsFile, 'text'>> {
  return answerSchema.parse(JSON.parse(await run(script(path, maxLevels, false))));
}

/** Windows limits paths to 32,767 characters, half of them separators. */
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

/** A fixed path that the environment can't change, like `policyPath`. */
const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const patienceMs = 20_000;
const maxOutput = 16 * 1024 * 1024;

async function runPowershell(text: string): Promise<string> {
  // Encoding avoids quoting.
  const encoded = Buffer.from(text, 'utf16le').toString('base64');
  const { stdout } = await promisify(execFile)(
    powershell,
    ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
    { timeout: patienceMs, windowsHide: true, maxBuffer: maxOutput },
  );
  return stdout;
}
