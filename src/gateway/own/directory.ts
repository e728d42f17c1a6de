import { VenueFailure, type Purpose, type Question, type Reader, type Served } from '../ports.ts';
import { parseRows, type Row } from '../rows.ts';
import { provenanceOf, provenanceOfAll, type Provenance } from './provenance.ts';

/** The products there are: the venue's specifications where it offers them, else what its other answers teach. */
export interface Directory {
  readonly source: 'product/specs' | 'learnt from other answers';
  readonly read_at: string;
  readonly products: readonly Row[];
}

export interface ReadDirectory {
  readonly directory: Directory;
  readonly provenance: Provenance;
}

export interface DirectoryParts {
  readonly ask: (name: DirectoryEndpoint, signal: AbortSignal) => Promise<Served>;
}

export type DirectoryEndpoint = 'productSpecs' | 'trailingStatsAll' | 'chartVoi' | 'fundingRates';

/** What trades changes by the day, whatever else changes in the answers that tell of it. */
const LEARNT_SECONDS = 600;

/** Asks as the reader does, for questions without parameters; where nothing is said of what for, for what the table says. */
export function createAsk(reader: Reader, toQuestion: (name: DirectoryEndpoint) => Question, purpose?: Purpose): DirectoryParts['ask'] {
  return (name, signal) => {
    const question = toQuestion(name);
    return reader.ask(question, { purpose: purpose ?? question.endpoint.purpose, signal });
  };
}

export async function readDirectory({ ask }: DirectoryParts, signal: AbortSignal): Promise<ReadDirectory> {
  try {
    const served = await ask('productSpecs', signal);
    const provenance = provenanceOf(served);
    return { directory: { source: 'product/specs', read_at: toReadAt(provenance), products: parseRows(served.answer) }, provenance };
  } catch (error) {
    if (!(error instanceof VenueFailure) || error.problem.type !== 'not-found') throw error;
    return learn(ask, signal);
  }
}

/** Which products trade, of which series, and which of them are perpetuals. Prices in ticks cannot be converted then. */
async function learn(ask: DirectoryParts['ask'], signal: AbortSignal): Promise<ReadDirectory> {
  const names = ['trailingStatsAll', 'chartVoi', 'fundingRates'] as const;
  const served = await Promise.all(names.map((name) => ask(name, signal)));
  const [active = [], days = [], funding = []] = served.map(({ answer }) => parseRows(answer));
  const bases = new Map(days.map((row) => [row['productId'], row['baseSymbol']]));
  const perpetuals = new Set(funding.map((row) => row['product_id']));
  const provenance = provenanceOfAll(served.map(provenanceOf), LEARNT_SECONDS);
  const products = active.map(({ productId }) => ({
    product_id: productId,
    ...(bases.has(productId) && { base_symbol: bases.get(productId) }),
    ...(perpetuals.has(productId) && { type: 'perpetual' }),
  }));
  return { directory: { source: 'learnt from other answers', read_at: toReadAt(provenance), products }, provenance };
}

function toReadAt({ answeredAt }: Provenance): string {
  return new Date(answeredAt).toISOString();
}
