const MAX_LENGTH = 200;

/** Untrusted text, short and in plain characters, safe to show. */
export function toPrintable(text: string, maxLength = MAX_LENGTH): string {
  return text.replace(/[^\x21-\x7e]+/g, ' ').trim().slice(0, maxLength);
}
