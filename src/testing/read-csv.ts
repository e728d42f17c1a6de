/** A strict parser of RFC 4180: throws at the first deviation. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const { field, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    row.push(field);
    at = end;
    if (text[at] === ',') {
      at += 1;
    } else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`Neither a comma nor the end of a line at ${String(at)}.`);
  }
  return rows;
}

interface Read {
  readonly field: string;
  readonly end: number;
}

function readPlain(text: string, at: number): Read {
  const [field = ''] = /^[^",\r\n]*/.exec(text.slice(at, at + LONGEST)) ?? [];
  return { field, end: at + field.length };
}

const LONGEST = 2_000;

function readQuoted(text: string, at: number): Read {
  const [quoted = ''] = /^"(?:[^"]|"")*"/.exec(text.slice(at, at + LONGEST)) ?? [];
  return { field: quoted.slice(1, -1).replaceAll('""', '"'), end: at + quoted.length };
}
