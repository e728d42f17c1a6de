import { PRODUCT_TYPES } from '#contract/order.ts';
import { VenueFailure, type Problem, type Served } from '../ports.ts';
import { parseList, type Row } from '../rows.ts';
import type { Directory } from './directory.ts';
import { provenanceOf, type Provenance } from './provenance.ts';

export type Filter = Readonly<Record<string, string>>;

/** A part of the working set: the orders of one filter, all of them as far as the venue answered. */
export interface Part {
  readonly filter: Filter;
  readonly rows: readonly Row[];
  /** The rows' own text, without the brackets. */
  readonly text: string;
  readonly provenance: Provenance;
}

export interface Split {
  readonly parts: readonly Part[];
  /** What keeps the whole from being proven complete, a sentence each. */
  readonly unproven: readonly string[];
  /** Parts that could not be read for want of budget. */
  readonly missing: readonly MissingPart[];
}

export interface MissingPart {
  readonly filter: Filter;
  readonly because: Problem;
}

export interface SplitParts {
  readonly ask: (filter: Filter) => Promise<Part>;
  readonly directory: () => Promise<Directory>;
  /** Accounts seen so far; that there are no others cannot be known. */
  readonly accounts: () => Promise<readonly string[]>;
}

/** All orders of a filter by one read. */
export async function readWhole({ ask }: Pick<SplitParts, 'ask'>, filter: Filter): Promise<Split> {
  return { parts: [await ask(filter)], unproven: [], missing: [] };
}

/** Reads the orders of a filter; where they are too many for one answer, by type, then product, then account. */
export async function readParts(parts: SplitParts, filter: Filter): Promise<Split> {
  try {
    return await readWhole(parts, filter).catch((error: unknown) => {
      if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      return splitFurther(parts, filter);
    });
  } catch (error) {
    if (!isProblemOf(error, 'budget-spent')) throw error;
    return { parts: [], unproven: [], missing: [{ filter, because: error.problem }] };
  }
}

async function splitFurther(parts: SplitParts, filter: Filter): Promise<Split> {
  const named = filter['product_id'] !== undefined || filter['symbol'] !== undefined;
  if (!named && filter['product_type'] === undefined) return readEach(parts, PRODUCT_TYPES.map((type) => ({ ...filter, product_type: type })), []);
  if (!named) return splitByProduct(parts, filter);
  if (filter['account_id'] === undefined) return splitByAccount(parts, filter);
  return { parts: [], unproven: [`More than 10,000 orders match ${describe(filter)}, and there is no way to ask for fewer.`], missing: [] };
}

async function splitByProduct(parts: SplitParts, filter: Filter): Promise<Split> {
  const { products, source } = await parts.directory();
  const ofType = products.filter((product) => product['product_status'] !== 'expired' && isOfType(product['type'], filter['product_type']));
  const doubts = source === 'product/specs' ? [] : ['The venue offers no list of its products: one that did not trade lately may be missing.'];
  return readEach(parts, ofType.map((product) => ({ ...filter, product_id: String(product['product_id']) })), doubts);
}

/** A perpetual's order says Future. What is not known to be of another type is asked for too: the answer is empty then. */
function isOfType(type: unknown, wanted: string | undefined): boolean {
  if (type === 'spread') return wanted === 'Spread';
  if (type === 'option') return wanted === 'Option';
  if (type === 'future' || type === 'perpetual') return wanted === 'Future';
  return true;
}

async function splitByAccount(parts: SplitParts, filter: Filter): Promise<Split> {
  const accounts = await parts.accounts();
  const doubt = `More than 10,000 orders match ${describe(filter)}; they were asked for by the ${String(accounts.length)} accounts seen so far, and there may be others.`;
  return readEach(parts, accounts.map((account) => ({ ...filter, account_id: account })), [doubt]);
}

/** One after another: a split is the most expensive thing the desk does, and others wait, too. */
async function readEach(parts: SplitParts, filters: readonly Filter[], doubts: readonly string[]): Promise<Split> {
  const splits: Split[] = [];
  for (const filter of filters) splits.push(await readParts(parts, filter));
  return {
    parts: splits.flatMap((split) => split.parts),
    unproven: [...doubts, ...splits.flatMap((split) => split.unproven)],
    missing: splits.flatMap((split) => split.missing),
  };
}

export function toPart(filter: Filter, served: Served): Part {
  const list = served.answer.body.toString();
  return { filter, rows: parseList(list), text: list.trim().slice(1, -1).trim(), provenance: provenanceOf(served) };
}

export function isProblemOf(error: unknown, type: Problem['type']): error is VenueFailure {
  return error instanceof VenueFailure && error.problem.type === type;
}

export function describe(filter: Filter): string {
  return Object.entries(filter).map(([name, value]) => `${name}=${value}`).join(', ') || 'no filter';
}
