const MAX_TEXT_LENGTH = 200;
const MAX_NAME_LENGTH = 40;

/** Untrusted text, short and in plain characters, safe to show. */
export function toPrintable(text: string): string {
  return text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}

/** An untrusted name: each character that is not plain stays visible as a question mark. */
export function toPrintableName(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, MAX_NAME_LENGTH);
}
