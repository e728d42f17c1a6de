import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Period } from '../../time/date-range.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import { COMPARED_AS, type ComparedAs } from './compared-as.ts';
import { toBasisAYear, toBasisTerms } from './compared-basis.ts';
import {
  type ComparedProduct,
  type ComparedSession,
  countUncommon,
  findCommonSessions,
  type SettledProduct,
  toComparedPrice,
  toPeriodEnds,
  toSettledProduct,
} from './compared-sessions.ts';

/** One product's figures in one pane. */
export interface ComparedLine {
  readonly as: ComparedAs;
  readonly product: SettledProduct;
  /** Names the figure where its pane is not named: `BUSZ26 − PBTCUCZ50`. */
  readonly name: string;
  /** Whether it is the price of a spread, which is a difference itself and is drawn beside that of its legs. */
  readonly isOwnPrice: boolean;
  /** Of a basis, the one of the two that expires earlier, or not at all. */
  readonly over?: SettledProduct;
  readonly at: (session: ComparedSession) => Quantity;
}

/** Why a product has no figures in a pane, in a sentence. */
export interface Omission {
  readonly as: ComparedAs;
  readonly product: SettledProduct;
  readonly reason: string;
}

export interface Comparison {
  readonly period: Period;
  readonly products: readonly SettledProduct[];
  /** The product with which the others are compared: the shown one, or if that is a spread, the first other that is not. */
  readonly reference: SettledProduct;
  /** Ascending. At the first one, all products are 100. */
  readonly sessions: readonly [ComparedSession, ...ComparedSession[]];
  readonly lines: readonly ComparedLine[];
  readonly omitted: readonly Omission[];
  /** How many sessions between them not all products have. */
  readonly leftOut: number;
}

export interface CompareOptions {
  readonly period: Period;
  /** The panes that are shown. A basis is between settlements, so beside it the session in progress is not compared. */
  readonly panes: readonly ComparedAs[];
}

/** Compares prices of the sessions that all products have; null if there is none. */
export function compareProducts(
  products: readonly ComparedProduct[],
  { period, panes }: CompareOptions,
): Comparison | null {
  const settled = products.map(toSettledProduct);
  const common = findCommonSessions(settled).filter(({ isRunning }) => !isRunning || !panes.includes('basis'));
  const [first, ...others] = toPeriodEnds(common, period);
  const reference = settled.find(({ product }) => !isSpread(product)) ?? settled[0];
  if (first === undefined || reference === undefined) return null;
  const found = COMPARED_AS.flatMap((as) =>
    settled
      .filter((product) => as === 'rebased' || product !== reference)
      .map((product) => ({ as, product, ...LINES[as]({ product, reference, first }) })),
  );
  return {
    period,
    products: settled,
    reference,
    sessions: [first, ...others],
    lines: found.flatMap((one) => ('at' in one ? { isOwnPrice: false, ...one } : [])),
    omitted: found.filter((one) => 'reason' in one),
    leftOut: countUncommon(settled, common),
  };
}

/** A spread’s price is a difference of prices. */
function isSpread(product: DeskProduct | null): boolean {
  return product?.type === 'spread';
}

interface LineInputs {
  readonly product: SettledProduct;
  readonly reference: SettledProduct;
  readonly first: ComparedSession;
}

type Line = Pick<ComparedLine, 'name' | 'at'> & Partial<Pick<ComparedLine, 'isOwnPrice' | 'over'>>;
type ToLine = (inputs: LineInputs) => Line | Pick<Omission, 'reason'>;

const LINES: Readonly<Record<ComparedAs, ToLine>> = {
  rebased: toRebased,
  difference: toDifference,
  ratio: toRatio,
  basis: ({ product, reference }) => {
    const terms = toBasisTerms(reference, product);
    if ('reason' in terms) return terms;
    const { later, earlier } = terms;
    return { name: `${later.name} over ${earlier.name}`, over: earlier, at: (session) => toBasisAYear(terms, session) };
  },
};

function toRebased({ product, first }: LineInputs): ReturnType<ToLine> {
  const why = whyWithoutRatio(product, first);
  if (why !== null) return { reason: `${product.name} is not rebased: ${why}` };
  const base = toComparedPrice(product, first);
  const how = `Price × 100 ÷ settlement of ${first.session}.`;
  return {
    name: `${product.name} rebased`,
    at: (session) =>
      deriveQuantity('fraction', how, [toComparedPrice(product, session), base], ([now, from]) =>
        now && from ? now.times(100).div(from) : null,
      ),
  };
}

function toDifference({ product, reference }: LineInputs): ReturnType<ToLine> {
  if (isSpread(product.product) && !isSpread(reference.product))
    return {
      name: `${product.name} price`,
      isOwnPrice: true,
      at: (session) => toComparedPrice(product, session),
    };
  const how = `Price of ${product.name} − price of ${reference.name}.`;
  return {
    name: `${product.name} − ${reference.name}`,
    at: (session) =>
      deriveQuantity(
        'USD',
        how,
        [product, reference].map((each) => toComparedPrice(each, session)),
        ([now, from]) => (now && from ? now.minus(from) : null),
      ),
  };
}

function toRatio({ product, reference, first }: LineInputs): ReturnType<ToLine> {
  const why = whyWithoutRatio(reference, first) ?? whyWithoutRatio(product, first);
  if (why !== null) return { reason: `No ratio of ${product.name} to ${reference.name}: ${why}` };
  const how = `Price of ${product.name} ÷ price of ${reference.name}.`;
  return {
    name: `${product.name} ÷ ${reference.name}`,
    at: (session) =>
      deriveQuantity(
        'fraction',
        how,
        [product, reference].map((each) => toComparedPrice(each, session)),
        ([now, by]) => (now && by?.gt(0) ? now.div(by) : null),
      ),
  };
}

/** Returns why a ratio of prices would mean nothing; null if it means something. */
function whyWithoutRatio(product: SettledProduct, first: ComparedSession): string | null {
  if (isSpread(product.product)) return `the price of ${product.name}, a spread, is a difference of prices.`;
  if (toComparedPrice(product, first).value?.gt(0) === true) return null;
  return `the price of ${product.name} on ${first.session}, the first common session, is not above zero.`;
}
