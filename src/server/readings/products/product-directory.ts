import {
  type Payers,
  type Provenance,
  provenanceOf,
  provenanceOfAll,
  type Purpose,
  type Reader,
  type Served,
  type VenueRequest,
} from '#server/core/ports.ts';
import { withDoubts } from '#contract/desk/specification-doubts.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import { parseRows, type Row } from '#server/core/rows.ts';

/** All products: from the exchange’s specifications if it offers them, otherwise inferred from other responses. */
export interface ProductDirectory {
  readonly source: 'product/specs' | 'learnt from other answers';
  readonly read_at: string;
  readonly products: readonly Row[];
}

export interface ReadDirectory {
  readonly directory: ProductDirectory;
  readonly provenance: Provenance;
}

export interface DirectoryDeps {
  readonly read: (name: DirectoryEndpoint, signal: AbortSignal) => Promise<Served>;
}

export type DirectoryEndpoint = 'productSpecs' | 'trailingStatsAll' | 'chartVoi' | 'fundingRates';

/** Products change daily, though the responses they are inferred from change more often. */
const INFERRED_SECONDS = 600;

/** Creates a reader of endpoints without parameters; the default purpose is the endpoint table’s. */
export function createDirectoryReader(
  reader: Pick<Reader, 'read'>,
  toRequest: (name: DirectoryEndpoint) => VenueRequest,
  { purpose, payers }: { readonly purpose: Purpose | undefined; readonly payers: Payers },
): DirectoryDeps['read'] {
  return (name, signal) => {
    const request = toRequest(name);
    return reader.read(request, { purpose: purpose ?? request.endpoint.purpose, payers, signal });
  };
}

export async function readDirectory({ read }: DirectoryDeps, signal: AbortSignal): Promise<ReadDirectory> {
  try {
    const served = await read('productSpecs', signal);
    const provenance = provenanceOf(served);
    return {
      directory: { source: 'product/specs', read_at: toReadAt(provenance), products: toProducts(served) },
      provenance,
    };
  } catch (error) {
    if (!isProblemOf(error, 'not-found')) throw error;
    return infer(read, signal);
  }
}

const known = new WeakMap<object, readonly Row[]>();

/** Returns the products with the doubts about them, which are found once for each response. */
function toProducts({ response }: Served): readonly Row[] {
  const products = known.get(response) ?? withDoubts(parseRows(response));
  known.set(response, products);
  return products;
}

/**
 * Infers product IDs, base symbols and which products are perpetuals. Without a tick size, prices in ticks cannot be
 * converted.
 */
async function infer(read: DirectoryDeps['read'], signal: AbortSignal): Promise<ReadDirectory> {
  const names = ['trailingStatsAll', 'chartVoi', 'fundingRates'] as const;
  const served = await Promise.all(names.map((name) => read(name, signal)));
  const [active = [], days = [], funding = []] = served.map(({ response }) => parseRows(response));
  const bases = new Map(days.map((row) => [row['productId'], row['baseSymbol']]));
  const perpetuals = new Set(funding.map((row) => row['product_id']));
  const provenance = provenanceOfAll(served.map(provenanceOf), INFERRED_SECONDS);
  const products = active.map(({ productId }) => ({
    product_id: productId,
    ...(bases.has(productId) && { base_symbol: bases.get(productId) }),
    ...(perpetuals.has(productId) && { type: 'perpetual' }),
  }));
  return { directory: { source: 'learnt from other answers', read_at: toReadAt(provenance), products }, provenance };
}

function toReadAt({ respondedAt }: Provenance): string {
  return new Date(respondedAt).toISOString();
}
