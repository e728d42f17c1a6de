const MAX_TEXT_LENGTH = 200;
const MAX_NAME_LENGTH = 40;

/** Shortens untrusted text and reduces it to plain characters, so that it is safe to show. */
export function toPrintable(text: string): string {
  return text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}

/** Replaces each character of an untrusted name that is not plain with a question mark. */
export function toPrintableName(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, MAX_NAME_LENGTH);
}
