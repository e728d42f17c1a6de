import { nameSome } from '../format/count.ts';

/** A settled or predicted rate of a perpetual; null if it is not known. */
interface RateOfOne {
  readonly rate: number | null | undefined;
  /** The interest rate of its last interval. */
  readonly interest: number | null | undefined;
}

/** Fewer may be equal by chance. */
const LEAST_SHARED = 3;

/**
 * Returns why rates that most perpetuals share are doubtful. They follow from prices, so none are equal, except that
 * near the index all are the interest rate.
 */
export function createWhyShared(rates: readonly RateOfOne[]): (rate: RateOfOne['rate']) => string | null {
  const known = rates.filter(({ rate }) => typeof rate === 'number');
  const [most = []] = [...Map.groupBy(known, ({ rate }) => rate).values()].sort((a, b) => b.length - a.length);
  const shared = most[0]?.rate;
  const isDoubtful =
    most.length >= LEAST_SHARED &&
    2 * most.length > known.length &&
    shared !== 0 &&
    most.every(({ interest }) => typeof interest === 'number' && interest !== shared);
  return (rate) =>
    isDoubtful && rate === shared ? 'exactly the same, although each follows from its own prices' : null;
}

/** The name of a perpetual and why its rate is doubtful; null if it is not, or without a rate. */
interface NamedDoubt {
  readonly name: string;
  readonly doubt: string | null;
}

/** Describes the doubtful rates among several, one notice for each reason. They are shown all the same. */
export function describeDoubtfulRates(
  noun: string,
  rates: readonly NamedDoubt[],
): readonly { readonly title: string; readonly text: string }[] {
  return [...Map.groupBy(rates, ({ doubt }) => doubt)].flatMap(([doubt, found]) =>
    doubt === null
      ? []
      : {
          title: `${nameSome(found.map(({ name }) => name))}: ${noun} in doubt.`,
          text: `${found.length === 1 ? 'It is' : 'They are'} ${doubt}.`,
        },
  );
}
