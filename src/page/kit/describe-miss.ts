/** Where nothing matches; the likeliest others, if there are any, follow as a list. */
export function describeMiss(text: string, proposals: number): string {
  return `No matches for “${text}”.${proposals === 0 ? '' : ' Did you mean:'}`;
}
