import { createRandom } from '../lib/random.ts';

/**
 * Returns the products that each person opens, one after the other. People choose by Zipf: the product of rank n is n
 * times as rare as the first one. The ranks are a shuffle by the seed.
 */
export function choosePlay(
  symbols: readonly string[],
  { people, visits, seed }: { readonly people: number; readonly visits: number; readonly seed: number },
): readonly (readonly string[])[] {
  const random = createRandom(seed);
  const ranked = symbols
    .map((symbol) => ({ symbol, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ symbol }) => symbol);
  const total = ranked.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
  const choose = (): string => {
    let rest = random() * total;
    return ranked.find((_, index) => (rest -= 1 / (index + 1)) <= 0) ?? ranked[0] ?? '';
  };
  return Array.from({ length: people }, () => Array.from({ length: visits }, choose));
}
