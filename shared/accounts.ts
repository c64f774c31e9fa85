export const maxAccountName = 80;

/** Returns the account's own name, else its service's name, numbered from the second account on. */
export function accountTitle(
  { name, number }: { readonly name: string | null; readonly number: number },
  service: string,
): string {
  return name ?? (number === 1 ? service : `${service} (${number})`);
}
