const LONGEST_QUOTE = 200;

/** What the venue wrote, short and in plain characters, fit to be shown. */
export function printable(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, ' ').trim().slice(0, LONGEST_QUOTE);
}
