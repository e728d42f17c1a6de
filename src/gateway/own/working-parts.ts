import { PRODUCT_TYPES } from '#contract/order.ts';
import { VenueFailure, type Problem, type Served } from '../ports.ts';
import { parseList, type Row } from '../rows.ts';
import type { ReadDirectory } from './directory.ts';
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
  /** How long it takes to read all parts, where the budget does not allow to read them at once. */
  readonly roundMs?: number;
}

export interface MissingPart {
  readonly filter: Filter;
  readonly because: Problem;
}

export interface SplitParts {
  /** `again`: it was refused before, and may not be any more. */
  readonly ask: (filter: Filter, again?: 'again') => Promise<Part>;
  /** The most orders that the venue gives in one answer. */
  readonly mostAtOnce: number;
  readonly directory: () => Promise<ReadDirectory>;
  /** Accounts seen so far; that there are no others cannot be known. */
  readonly accounts: () => Promise<readonly string[]>;
}

/** What a filter is narrowed by, to each in turn. */
interface Cut {
  readonly by: readonly Filter[];
  readonly doubts: readonly string[];
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
  if (!named && filter['product_type'] === undefined) return splitByType(parts, filter);
  if (!named) return splitByProduct(parts, filter);
  if (filter['account_id'] === undefined) return splitByAccount(parts, filter);
  return { parts: [], unproven: [`More than 10,000 orders match ${describe(filter)}, and there is no way to ask for fewer.`], missing: [] };
}

async function splitByType(parts: SplitParts, filter: Filter): Promise<Split> {
  return readEach(parts, filter, { by: PRODUCT_TYPES.map((type) => ({ product_type: type })), doubts: await doubtTypes(parts) });
}

/** Orders are asked for by the types there are; a venue may have one more by now. */
async function doubtTypes({ directory }: SplitParts): Promise<readonly string[]> {
  try {
    const { products } = (await directory()).directory;
    const unknown = products.filter((product) => trades(product) && typeof product['type'] === 'string' && typeOf(product['type']) === null).length;
    return unknown === 0 ? [] : [`The list of products has ${String(unknown)} of a type that the interface does not know: their orders may be in none of the parts.`];
  } catch (error) {
    if (!(error instanceof VenueFailure)) throw error;
    return ['The list of products could not be read: orders of a type that the interface does not know may be in none of the parts.'];
  }
}

async function splitByProduct(parts: SplitParts, filter: Filter): Promise<Split> {
  const { directory, provenance } = await parts.directory();
  const { products, source, read_at: readAt } = directory;
  const ofType = products.filter((product) => trades(product) && isOfType(product['type'], filter['product_type']));
  const ids = ofType.map((product) => String(product['product_id'])).filter((id) => /^\d+$/.test(id));
  const unnamed = ofType.length - ids.length;
  const doubts = [
    ...(source === 'product/specs' ? [] : ['The venue offers no list of its products: one that did not trade lately may be missing.']),
    ...(provenance.staleBecause === null ? [] : [`The list of products is that of ${readAt}, since the venue did not give a new one: one that was listed later may be missing.`]),
    ...(unnamed === 0 ? [] : [`The list of products has ${String(unnamed)} without a number: their orders could not be asked for.`]),
  ];
  return readEach(parts, filter, { by: ids.map((id) => ({ product_id: id })), doubts });
}

function trades(product: Row): boolean {
  return product['product_status'] !== 'expired';
}

/** What is not known to be of another type is asked for too: the answer is empty then. */
function isOfType(type: unknown, wanted: string | undefined): boolean {
  const known = typeOf(type);
  return known === null || known === wanted;
}

/** A product's type as its orders say it, by which a perpetual is a Future; null for one that is not known. */
function typeOf(type: unknown): (typeof PRODUCT_TYPES)[number] | null {
  if (type === 'spread') return 'Spread';
  if (type === 'option') return 'Option';
  return type === 'future' || type === 'perpetual' ? 'Future' : null;
}

async function splitByAccount(parts: SplitParts, filter: Filter): Promise<Split> {
  const accounts = await parts.accounts();
  const doubt = `More than 10,000 orders match ${describe(filter)}; they were asked for by the ${String(accounts.length)} accounts seen so far, and there may be others.`;
  return readEach(parts, filter, { by: accounts.map((account) => ({ account_id: account })), doubts: [doubt] });
}

/** One after another: a split is the most expensive thing the desk does, and others wait, too. */
async function readEach(parts: SplitParts, filter: Filter, { by, doubts }: Cut): Promise<Split> {
  const splits: Split[] = [];
  for (const narrower of by) splits.push(await readParts(parts, { ...filter, ...narrower }));
  return checkSum(parts, filter, {
    parts: splits.flatMap((split) => split.parts),
    unproven: [...doubts, ...splits.flatMap((split) => split.unproven)],
    missing: splits.flatMap((split) => split.missing),
  });
}

/** Parts that would fit into one answer speak against its refusal: orders were closed since, or some are in none of the parts. */
async function checkSum(parts: SplitParts, filter: Filter, split: Split): Promise<Split> {
  const count = split.parts.reduce((sum, { rows }) => sum + rows.length, 0);
  if (split.missing.length > 0 || split.unproven.length > 0 || count > parts.mostAtOnce) return split;
  try {
    return { parts: [await parts.ask(filter, 'again')], unproven: [], missing: [] };
  } catch (error) {
    if (!isProblemOf(error, 'too-many-working-orders') && !isProblemOf(error, 'budget-spent')) throw error;
    return { ...split, unproven: [`The parts hold ${String(count)} orders, though the venue refused the whole (${describe(filter)}) as more than 10,000.`] };
  }
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
