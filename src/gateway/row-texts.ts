const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;

/** The texts of the items of a JSON list, as written; `start` is after its opening bracket. */
export function splitList(text: string, start: number): readonly string[] {
  const rows: string[] = [];
  let depth = 0;
  let rowStart = start;
  TOKENS.lastIndex = start;
  for (let token = TOKENS.exec(text); token !== null; token = TOKENS.exec(text)) {
    const isEnd = token[0] === ']' && depth === 0;
    if (depth === 0 && (isEnd || token[0] === ',')) {
      const row = text.slice(rowStart, token.index).trim();
      if (row !== '') rows.push(row);
      rowStart = token.index + 1;
    }
    if (isEnd) break;
    if (token[0] === '{' || token[0] === '[') depth += 1;
    if (token[0] === '}' || token[0] === ']') depth -= 1;
  }
  return rows;
}
