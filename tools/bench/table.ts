/** A number, perhaps with its unit, a dash for none, or nothing. */
const figure = /^(|–|-?[\d.]+( .*)?)$/;

/** Rows as text in columns: words to the left, columns whose cells are figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const figures = head.map((_, column) => rows.every((row) => figure.test(row[column] ?? '')));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      widths
        .map((width, column) => {
          const text = row[column] ?? '';
          return figures[column] ? text.padStart(width) : text.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Fixed digits, or a dash where there is no number. */
export function cell(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
}
