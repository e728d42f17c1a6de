const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]/g;

/** The texts of the items of a JSON list, as written; `start` is after its opening bracket. */
export function splitList(text: string, start: number): readonly string[] {
  const rows: string[] = [];
  let rowStart = start;
  for (const { index, token } of tokensAtTop(text, start)) {
    if (token === ':') continue;
    const row = text.slice(rowStart, index).trim();
    if (row !== '') rows.push(row);
    rowStart = index + 1;
  }
  return rows;
}

/** The fields of a JSON object with the texts of their values, as written. Of a repeated field, the last one counts. */
export function splitFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  const start = text.indexOf('{') + 1;
  let fieldStart = start;
  let colon = -1;
  for (const { index, token } of tokensAtTop(text, start)) {
    if (token === ':') {
      colon = index;
      continue;
    }
    if (colon !== -1)
      fields.set(JSON.parse(text.slice(fieldStart, colon)) as string, text.slice(colon + 1, index).trim());
    fieldStart = index + 1;
    colon = -1;
  }
  return fields;
}

/** A JSON object of fields whose values are texts of JSON. */
export function joinFields(fields: Iterable<readonly [name: string, text: string]>): string {
  return `{${Array.from(fields, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** The commas and colons of the list or object that `start` is in, and its end. */
function* tokensAtTop(text: string, start: number): Iterable<{ readonly index: number; readonly token: string }> {
  let depth = 0;
  const tokens = new RegExp(TOKENS);
  tokens.lastIndex = start;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    const isEnd = token === ']' || token === '}';
    if (depth === 0 && (isEnd || token === ',' || token === ':')) yield { index: match.index, token };
    if (depth === 0 && isEnd) return;
    if (isEnd) depth -= 1;
    else if (token === '[' || token === '{') depth += 1;
  }
}
