import { responds, type Behaviour, type ReceivedRequest } from './behaviours.ts';

/** The responses of a scripted exchange about one perpetual. Rows are JSON texts, newest first. */
export interface FundingScript {
  rows: readonly string[];
  /** The largest page. */
  maxRows: number;
  /** A larger limit is rejected instead of reduced. */
  largestLimit?: number;
  /** The latest rate in responses without a range, if it is not that of the history. */
  latest?: string;
  /** Ranges are ignored: all rows are returned. */
  ignoresRanges?: boolean;
  /** A failure that replaces the responses about funding. */
  failure: Behaviour | null;
  /** Products that replace the directory, which has the scripted perpetual (active) and a future. */
  products?: readonly object[];
  estimate: object;
}

export const SCRIPTED = { productId: 5599, baseSymbol: 'BTCUC' } as const;

/** Writes a row as JSON text, with white space that re-serialising would lose. */
export function printText(start: string, end: string, rate = '0.000100'): string {
  return (
    '{"product_id":5599, ' +
    `"price_index":101234.56,"mark_price":101240.5,"interest_rate":0.0001,"funding_rate":${rate},"interval_start":"${start}","interval_end":"${end}"}`
  );
}

/** Generates regular settled rates, newest first, ending at an instant. */
export function printsBefore(end: number, count: number): readonly string[] {
  const at = (steps: number): string => new Date(end - steps * 8 * 3_600_000).toISOString();
  return Array.from({ length: count }, (_, index) => printText(at(index + 1), at(index)));
}

/** Serves the directory, settled rates by range and page, and the predicted rate, from the current script. */
export function servesFunding(script: FundingScript): Behaviour {
  return (socket, request) => {
    behaviourOf(script, request)(socket, request);
  };
}

function behaviourOf(script: FundingScript, request: ReceivedRequest): Behaviour {
  const { pathname } = new URL(request.target, 'http://venue');
  if (pathname.endsWith('/product/specs/')) return json(JSON.stringify(script.products ?? directory));
  if (pathname.includes('/funding-rates/estimated/')) return json(JSON.stringify(script.estimate));
  if (pathname.endsWith('/funding-rates/')) return script.failure ?? rates(script, request);
  return pathname.includes('/web/charts/') ? json('[]') : responds();
}

function rates(script: FundingScript, { target }: ReceivedRequest): Behaviour {
  const query = new URL(target, 'http://venue').searchParams;
  const limit = Number(query.get('limit') ?? script.maxRows);
  if (limit > (script.largestLimit ?? Infinity))
    return responds({ status: 400, headers: { 'content-type': 'text/plain' }, body: 'limit is too large' });
  return json(pageOf(script, query, limit));
}

function json(body: string): Behaviour {
  return responds({ body });
}

const contract = { contract_size: 0.01, contract_size_unit: 'BTC', price_increment: 5, product_status: 'active' };
const directory = [
  {
    product_id: SCRIPTED.productId,
    symbol: 'PBTCUCZ50',
    base_symbol: SCRIPTED.baseSymbol,
    type: 'perpetual',
    ...contract,
  },
  { product_id: 1, base_symbol: 'BUS', type: 'future', product_status: 'active' },
];

/**
 * Returns rows in the order of the script, or reversed, regardless of their content: faults stay where the script has
 * them.
 */
function pageOf(script: FundingScript, query: URLSearchParams, limit: number): string {
  const newestFirst = inRange(script, query);
  const ordered = query.get('order') === 'asc' ? newestFirst.toReversed() : newestFirst;
  const start = Number(query.get('cursor') ?? '0');
  const page = ordered.slice(start, start + Math.min(script.maxRows, limit));
  return `{"data": [${page.join(', ')}], "pagination": {"cursor": "${String(start + page.length)}"}}`;
}

/** Without a range, only the latest rate. */
function inRange({ rows, latest = rows[0], ignoresRanges }: FundingScript, query: URLSearchParams): readonly string[] {
  const begin = query.get('begin_time');
  if (begin === null) return latest === undefined ? [] : [latest];
  if (ignoresRanges === true) return rows;
  const [from, to] = [Date.parse(begin), Date.parse(query.get('end_time') ?? '9999-01-01T00:00:00Z')];
  return rows.filter((text) => endOf(text) >= from && endOf(text) <= to);
}

function endOf(text: string): number {
  return Date.parse((JSON.parse(text) as { readonly interval_end: string }).interval_end);
}
