/** What is wrong with a body, in a sentence; `first`: where its first mistake is. */
export function describeMistakes(count: number, first: string): string {
  return count === 1
    ? `The body has a mistake at ${first}.`
    : `The body has ${String(count)} mistakes, the first at ${first}.`;
}
