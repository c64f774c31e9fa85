/** What main and pages both know of an account's name. */

/** Characters of an account's name, at most. */
export const maxAccountName = 80;

/** What an account is called: its own name, else that of its service, numbered from the second one on. */
export function accountTitle(
  { name, number }: { readonly name: string | null; readonly number: number },
  service: string,
): string {
  return name ?? (number === 1 ? service : `${service} (${number})`);
}
