import { PRODUCT_TYPES, WORKING_ORDERS_LIMIT_TEXT } from '#contract/exchange/order.ts';
import type { Row } from '#server/core/rows.ts';
import { isProblemOf, VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import type { ReadDirectory } from '../products/product-directory.ts';
import { describe, type Filter, type Part } from './part.ts';

export interface Split {
  readonly parts: readonly Part[];
  /** Why the set cannot be proven complete, a sentence each. */
  readonly unproven: readonly string[];
  /** Parts that could not be read within the budget. */
  readonly missing: readonly MissingPart[];
  /** How long it takes to read all parts, if the budget does not allow reading them at once. */
  readonly roundMs?: number;
}

export interface MissingPart {
  readonly filter: Filter;
  readonly because: Problem;
}

export interface PartReader {
  /** `refresh` bypasses a remembered rejection. */
  readonly readPart: (filter: Filter, refresh?: boolean) => Promise<Part>;
  /** The most orders that the exchange returns in one response. */
  readonly maxOrders: number;
  readonly directory: () => Promise<ReadDirectory>;
  /** Accounts seen so far. Others may exist. */
  readonly accounts: () => Promise<readonly string[]>;
}

/** The narrower filters that a filter is split into. */
interface Narrowing {
  readonly by: readonly Filter[];
  readonly doubts: readonly string[];
}

/** All orders of a filter by one read. */
export async function readWhole({ readPart }: Pick<PartReader, 'readPart'>, filter: Filter): Promise<Split> {
  return { parts: [await readPart(filter)], unproven: [], missing: [] };
}

/** Reads the orders of a filter; if too many for one response, by type, then product, then account. */
export async function readInParts(reader: PartReader, filter: Filter): Promise<Split> {
  try {
    return await readWhole(reader, filter).catch((error: unknown) => {
      if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      return splitFurther(reader, filter);
    });
  } catch (error) {
    if (!isProblemOf(error, 'budget-spent')) throw error;
    return { parts: [], unproven: [], missing: [{ filter, because: error.problem }] };
  }
}

async function splitFurther(reader: PartReader, filter: Filter): Promise<Split> {
  const named = filter['product_id'] !== undefined || filter['symbol'] !== undefined;
  if (!named && filter['product_type'] === undefined) return splitByType(reader, filter);
  if (!named) return splitByProduct(reader, filter);
  if (filter['account_id'] === undefined) return splitByAccount(reader, filter);
  return {
    parts: [],
    unproven: [
      `More than ${WORKING_ORDERS_LIMIT_TEXT} orders match ${describe(filter)}, and no narrower filter exists.`,
    ],
    missing: [],
  };
}

async function splitByType(reader: PartReader, filter: Filter): Promise<Split> {
  return readEach(reader, filter, {
    by: PRODUCT_TYPES.map((type) => ({ product_type: type })),
    doubts: await doubtTypes(reader),
  });
}

/** The exchange may have a product type that the interface does not know. */
async function doubtTypes({ directory }: PartReader): Promise<readonly string[]> {
  try {
    const { products } = (await directory()).directory;
    const unknown = products.filter(
      (product) => trades(product) && typeof product['type'] === 'string' && typeOf(product['type']) === null,
    ).length;
    return unknown === 0
      ? []
      : [
          `Products of unknown type in the product list: ${String(unknown)}. Their orders may be missing from all parts.`,
        ];
  } catch (error) {
    if (!(error instanceof VenueFailure)) throw error;
    return ['The product list could not be read: orders in products of unknown type may be missing from all parts.'];
  }
}

async function splitByProduct(reader: PartReader, filter: Filter): Promise<Split> {
  const { directory, provenance } = await reader.directory();
  const { products, source, read_at: readAt } = directory;
  const ofType = products.filter((product) => trades(product) && isOfType(product['type'], filter['product_type']));
  const ids = ofType.map((product) => String(product['product_id'])).filter((id) => /^\d+$/.test(id));
  const unnamed = ofType.length - ids.length;
  const doubts = [
    ...(source === 'product/specs'
      ? []
      : ['The exchange offers no product list: orders in products without recent trades may be missing.']),
    ...(provenance.staleBecause === null
      ? []
      : [
          `The product list is from ${readAt} because the exchange did not return a newer one: orders in products listed since then may be missing.`,
        ]),
    ...(unnamed === 0
      ? []
      : [`Products without an ID in the product list: ${String(unnamed)}. Their orders could not be read.`]),
  ];
  return readEach(reader, filter, { by: ids.map((id) => ({ product_id: id })), doubts });
}

function trades(product: Row): boolean {
  return product['product_status'] !== 'expired';
}

/** Products of unknown type are read as well: at worst the response is empty. */
function isOfType(type: unknown, wanted: string | undefined): boolean {
  const known = typeOf(type);
  return known === null || known === wanted;
}

/** A product's type as its orders write it, where a perpetual is a Future; null if unknown. */
function typeOf(type: unknown): (typeof PRODUCT_TYPES)[number] | null {
  if (type === 'spread') return 'Spread';
  if (type === 'option') return 'Option';
  return type === 'future' || type === 'perpetual' ? 'Future' : null;
}

async function splitByAccount(reader: PartReader, filter: Filter): Promise<Split> {
  const accounts = await reader.accounts();
  const doubt = `More than ${WORKING_ORDERS_LIMIT_TEXT} orders match ${describe(filter)}. They were read for the ${String(accounts.length)} accounts seen so far, and others may exist.`;
  return readEach(reader, filter, { by: accounts.map((account) => ({ account_id: account })), doubts: [doubt] });
}

/** One after another: a split is the most expensive kind of read, and must not delay all others. */
async function readEach(reader: PartReader, filter: Filter, { by, doubts }: Narrowing): Promise<Split> {
  const splits: Split[] = [];
  for (const narrower of by) splits.push(await readInParts(reader, { ...filter, ...narrower }));
  return checkSum(reader, filter, {
    parts: splits.flatMap((split) => split.parts),
    unproven: [...doubts, ...splits.flatMap((split) => split.unproven)],
    missing: splits.flatMap((split) => split.missing),
  });
}

/** Parts that fit into one response contradict the rejection of the whole: orders were closed since, or some are in no part. */
async function checkSum(reader: PartReader, filter: Filter, split: Split): Promise<Split> {
  const count = split.parts.reduce((sum, { rows }) => sum + rows.length, 0);
  if (split.missing.length > 0 || split.unproven.length > 0 || count > reader.maxOrders) return split;
  try {
    return { parts: [await reader.readPart(filter, true)], unproven: [], missing: [] };
  } catch (error) {
    if (!isProblemOf(error, 'too-many-working-orders') && !isProblemOf(error, 'budget-spent')) throw error;
    return {
      ...split,
      unproven: [
        `The parts contain ${String(count)} orders, but the exchange rejected the whole (${describe(filter)}) as more than ${WORKING_ORDERS_LIMIT_TEXT}.`,
      ],
    };
  }
}
