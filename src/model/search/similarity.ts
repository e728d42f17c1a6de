/** How alike two words are, 0 to 1: the share of pairs of neighbouring letters that they have in common (Dice). */
export function similarity(a: string, b: string): number {
  const [left, right] = [toPairs(a), toPairs(b)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / Math.max(left.size + right.size, 1);
}

/** The first letter counts by itself too: it is seldom mistyped. */
function toPairs(word: string): ReadonlySet<string> {
  return new Set(Array.from(word, (letter, index) => (index === 0 ? `^${letter}` : word.charAt(index - 1) + letter)));
}
