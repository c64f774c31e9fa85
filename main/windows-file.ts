import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Windows' access information about a file and its folders. */
export interface WindowsFile {
  /** Empty unless requested. */
  readonly text: string;
  /** A SID: "S-1-5-21-…". */
  readonly user: string;
  /** Describes the opened file. */
  readonly sddl: string;
  /** Nearest parent first. */
  readonly folders: readonly string[];
}

/** Runs a script and returns its output. */
type RunPowershell = (script: string) => Promise<string>;

const answerSchema = z.object({
  ...{ text: z.base64(), user: z.string(), sddl: z.string() },
  folders: z.array(z.string()),
});

/**
 * Uses one handle, so that the file can't be replaced in between. Node can't read access lists: Windows
 * PowerShell in full language mode does. Rejects for a linked folder or anything unreadable.
 * @param levels parent folders to check
 */
export async function readOnWindows(
  path: string,
  levels: number,
  run: RunPowershell = runPowershell,
): Promise<WindowsFile> {
  const answer = answerSchema.parse(JSON.parse(await run(script(path, levels, true))));
  return { ...answer, text: Buffer.from(answer.text, 'base64').toString('utf8') };
}

/** Like `readOnWindows`, but without the text and up to the root. */
export async function accessOnWindows(path: string): Promise<Omit<WindowsFile, 'text'>> {
  return answerSchema.parse(JSON.parse(await runPowershell(script(path, maxLevels, false))));
}

/** Paths have at most 32,767 characters, half of them separators. */
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

/** The environment can't change it (see `policyPath`). */
const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const patienceMs = 20_000;
const maxOutput = 16 * 1024 * 1024;

/** Runs a script in Windows PowerShell and returns its output. */
export async function runPowershell(text: string): Promise<string> {
  // Encoding avoids quoting.
  const encoded = Buffer.from(text, 'utf16le').toString('base64');
  const { stdout } = await promisify(execFile)(
    powershell,
    ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
    { timeout: patienceMs, windowsHide: true, maxBuffer: maxOutput },
  );
  return stdout;
}
