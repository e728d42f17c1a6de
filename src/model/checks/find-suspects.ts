import { type Claim, type Fact, hasPassed } from './facts.ts';

/** Figures that are wrong by the same factor: in every session, or in each session by another. */
interface FigureError {
  readonly claims: readonly Claim[];
  readonly isConstant: boolean;
  /** The largest size, as a logarithm. */
  readonly most?: number | undefined;
}

/** Errors that together may explain every failed comparison. */
type Hypothesis = readonly FigureError[];

/** Product data have one settlement, whether read for now or for its day. */
const SETTLEMENTS: readonly Claim[] = ['settlement', 'settlement of the day'];

/** Figures that one response has, or that one fault of the exchange spoils alike. */
const ALIKE: readonly (readonly Claim[])[] = [
  SETTLEMENTS,
  [...SETTLEMENTS, 'range'],
  [...SETTLEMENTS, 'range', 'change'],
  ['chart', 'candle'],
  ['open interest value', 'volume value'],
  ['volume', 'session volume', 'candle volume', '24 h volume'],
  ['volume value', 'session value', '24 h value'],
];

const INTEREST: readonly (readonly Claim[])[] = [['open interest'], ['open interest value']];
const VOLUME: readonly (readonly Claim[])[] = [['volume'], ['volume value']];
const SESSION: readonly (readonly Claim[])[] = [['session volume'], ['session value']];
const CHART: readonly (readonly Claim[])[] = [['chart'], ['candle'], ['candle volume']];

/** Contracts and USD values that may be wrong in different ways, as if swapped. */
const AMOUNTS: readonly (readonly (readonly Claim[])[])[] = [
  INTEREST,
  VOLUME,
  SESSION,
  [['24 h volume'], ['24 h value']],
  [
    ['volume', 'session volume', '24 h volume'],
    ['volume value', 'session value', '24 h value'],
  ],
];

/** Responses whose rows may be those of another session. */
const LATE: readonly (readonly (readonly Claim[])[])[] = [
  CHART,
  [...INTEREST, ...VOLUME],
  [...CHART, ...INTEREST, ...VOLUME],
  [['settlement', 'settlement of the day'], ['range'], ['change'], ...SESSION],
];

/** What a specification says is the same in every session. */
const SPECIFICATIONS: ReadonlySet<Claim> = new Set(['tick size', 'contract size']);

const PRICES: ReadonlySet<Claim> = new Set(['settlement', 'settlement of the day', 'range', 'chart', 'candle']);
/** By how much prices change from one session to another, at most. */
const MOST_OF_A_SESSION = Math.log(2);

/**
 * Finds the figures that are wrong, for each of the plainest explanations. Every response counts as one witness: an
 * explanation is an error that makes all comparisons come out as they did, those that passed too. One wrong figure is
 * plainer than several, and a factor that stays the same is plainer than one that changes.
 */
export function findSuspects(facts: readonly Fact[]): readonly (readonly Claim[])[] {
  if (facts.every(hasPassed)) return [];
  const present = new Set(facts.flatMap(({ terms }) => Object.keys(terms) as Claim[]));
  const { alone, alike, amounts, late } = listHypotheses(facts.filter((fact) => !hasPassed(fact)));
  const single = [...alone, ...alike];
  const levels = [...single, amounts, ...pairUp(single), late, ...pairUp([...single, amounts])];
  for (const level of levels) {
    const found = level().flatMap((hypothesis) => reduce(hypothesis, facts));
    if (found.length > 0)
      return found.map((hypothesis) =>
        hypothesis.flatMap(({ claims }) => claims).filter((claim) => present.has(claim)),
      );
  }
  return facts
    .filter((fact) => !hasPassed(fact))
    .flatMap(({ terms }) => (Object.keys(terms) as Claim[]).map((claim) => [claim]));
}

/** Explanations that are equally plain. */
type Level = () => readonly Hypothesis[];

/** Lists explanations of failed comparisons by one error or one response; the plainest of each kind first. */
function listHypotheses(failed: readonly Fact[]) {
  const matters = (list: readonly Claim[]): boolean => failed.some(({ terms }) => sumTerms(terms, list) !== 0);
  const of = (lists: readonly (readonly Claim[])[], isConstant: boolean): Level => {
    const hypotheses = lists.filter(matters).map((list) => [{ claims: list, isConstant }]);
    return () => hypotheses;
  };
  const together = (responses: typeof LATE, most: number): Level => {
    const hypotheses = responses
      .filter((lists) => lists.some(matters))
      .map((lists) =>
        lists.map((list) => ({
          claims: list,
          isConstant: false,
          most: list.some((claim) => PRICES.has(claim)) ? most : Infinity,
        })),
      );
    return () => hypotheses;
  };
  const claims = [...new Set(failed.flatMap(({ terms }) => Object.keys(terms) as Claim[]))];
  const each = claims.map((claim) => [claim]);
  return {
    alone: [
      of([...each, SETTLEMENTS], true),
      of(
        each.filter(([claim]) => claim !== undefined && !SPECIFICATIONS.has(claim)),
        false,
      ),
    ],
    alike: [of(ALIKE, true), of(ALIKE, false)],
    amounts: together(AMOUNTS, Infinity),
    late: together(LATE, MOST_OF_A_SESSION),
  };
}

/** Returns how often a common error of these figures changes the first side of a comparison over its second. */
export function sumTerms(terms: Fact['terms'], claims: readonly Claim[]): number {
  return claims.reduce((sum, claim) => sum + (terms[claim] ?? 0), 0);
}

/** Joins explanations in pairs; the plainest first. */
function pairUp(levels: readonly Level[]): readonly Level[] {
  return levels
    .flatMap((_, rank) => [2 * rank, 2 * rank + 1])
    .map(
      (cost) => () =>
        levels.flatMap((level, at) => {
          const other = at <= cost - at ? levels[cost - at] : undefined;
          return other === undefined ? [] : level().flatMap((first) => other().map((second) => [...first, ...second]));
        }),
    );
}

/** Leaves out the errors that are not needed, in either order; returns nothing if the hypothesis explains nothing. */
function reduce(hypothesis: Hypothesis, facts: readonly Fact[]): readonly Hypothesis[] {
  if (!explains(hypothesis, facts)) return [];
  const shorten = (whole: Hypothesis): Hypothesis =>
    whole.reduce((kept, error) => {
      const rest = kept.filter((one) => one !== error);
      return rest.length > 0 && explains(rest, facts) ? rest : kept;
    }, whole);
  return hypothesis.length === 1 ? [hypothesis] : [shorten(hypothesis), shorten(hypothesis.toReversed())];
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

const ANYTHING: Bounds = { low: -Infinity, high: Infinity };
/** Logarithms of equal ratios may differ in their last digits. */
const EQUAL = 1e-9;
/** Each pass narrows the bounds of one error by those of another. */
const PASSES = 3;

/** Returns whether some size of these errors lets every comparison come out as it did. */
function explains(hypothesis: Hypothesis, facts: readonly Fact[]): boolean {
  const concerns = ({ terms }: Fact): boolean => hypothesis.some(({ claims }) => sumTerms(terms, claims) !== 0);
  if (!facts.every((fact) => hasPassed(fact) || concerns(fact))) return false;
  const equations = facts.map((fact) => ({ fact, errors: listErrors(hypothesis, fact) }));
  const known = new Map<string, Bounds>();
  for (let pass = 0; pass < PASSES; pass += 1)
    for (const { fact, errors } of equations)
      for (const { key, times, most } of errors) {
        const others = errors
          .filter((other) => other.key !== key)
          .map((other) => scale(known.get(other.key), other.times));
        const low = others.reduce((sum, { high }) => sum - high, fact.low);
        const high = others.reduce((sum, { low: least }) => sum - least, fact.high);
        const own = scale({ low, high }, 1 / times);
        const before = known.get(key) ?? { low: -most, high: most };
        const next = { low: Math.max(before.low, own.low), high: Math.min(before.high, own.high) };
        if (next.low > next.high + EQUAL) return false;
        known.set(key, next);
      }
  return true;
}

/** Lists the errors in a comparison, each with how many times it changes its first side over its second. */
function listErrors(hypothesis: Hypothesis, { terms, session }: Fact) {
  return hypothesis.flatMap(({ claims, isConstant, most = Infinity }, at) => {
    const times = sumTerms(terms, claims);
    return times === 0 ? [] : [{ key: isConstant ? String(at) : `${String(at)} ${session ?? ''}`, times, most }];
  });
}

function scale({ low, high }: Bounds = ANYTHING, times: number): Bounds {
  return times > 0 ? { low: low * times, high: high * times } : { low: high * times, high: low * times };
}
