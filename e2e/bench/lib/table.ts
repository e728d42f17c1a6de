/** Formats lines of aligned columns: the first to the left, the others, which are numbers, to the right. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, column === 0))
      .join('  ')
      .trimEnd();
  return [line(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

function pad(cell: string, width: number, toTheLeft: boolean): string {
  return toTheLeft ? cell.padEnd(width) : cell.padStart(width);
}
