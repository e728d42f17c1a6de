const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]/g;

/** Splits a JSON list into the texts of its items, as written; `start` is after its opening bracket. */
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

/**
 * Splits a JSON object into its fields and the texts of their values, as written. Of a repeated field, the last one
 * counts.
 */
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

/** Joins fields, whose values are JSON texts, to a JSON object. */
export function joinFields(fields: Iterable<readonly [name: string, text: string]>): string {
  return `{${Array.from(fields, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Iterates over the commas and colons of the list or object that contains `start`, up to its end. */
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

/**
 * A checksum over the rows of a topic and the fields beside them, by which a client detects that it has lost data. As a
 * sum, it does not depend on their order, and an update costs no more than the change itself.
 */

/**
 * Returns what a text adds to the sum, given its CRC-32 (as in gzip, of its UTF-8). Mixed as in MurmurHash3, so that
 * the sum changes when two rows exchange a field.
 */
export function toTerm(crc: number): number {
  const once = Math.imul(crc ^ (crc >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return twice ^ (twice >>> 16);
}

/** Returns the text that represents a field in the sum. A row is represented by its own text. */
export function toFieldText(name: string, text: string): string {
  return joinFields([[name, text]]);
}

export function formatChecksum(sum: number): string {
  return (sum >>> 0).toString(16).padStart(8, '0');
}
