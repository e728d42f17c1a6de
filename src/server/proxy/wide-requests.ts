import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { splitFields, splitList } from '#contract/parse/json-split.ts';
import type { VenueRequest } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';

/** A request whose response also contains what narrower ones ask for. */
export interface WideRequest {
  readonly request: VenueRequest;
  /** Returns the text of the narrower response, with unchanged rows; null if the wide response does not contain it. */
  readonly cut: (rows: WideRows) => string | null;
}

/** The rows of a wide response as received, by the product that they are about. */
export interface WideRows {
  readonly of: (productId: string) => readonly WideRow[];
  readonly all: readonly WideRow[];
  /** What a page has, as received; empty for a list. */
  readonly page: ReadonlyMap<string, string>;
}

interface WideRow {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Rows of one page of settled rates, as pages ask for them. */
const LATEST = [['limit', '100']] as const;

/**
 * Returns the request that serves this one and others like it; null if there is none. Prices of any range come from
 * one read of a year and the months before it, other figures of a product from one read of all products.
 */
export function toWideRequest(profile: VenueProfile, narrow: VenueRequest, venueNow: number): WideRequest | null {
  const { name, pathParameters, query } = narrow;
  const ofAll = (endpoint: EndpointName, pairs: VenueRequest['query'] = []): VenueRequest =>
    toVenueRequest(profile, endpoint, {}, pairs);
  switch (name) {
    case 'productData':
      return query.length > 0 ? null : { request: ofAll('productDataAll'), cut: theRow(pathParameters['id']) };
    case 'trailingStats':
      return { request: ofAll('trailingStatsAll'), cut: theRow(pathParameters['product_id']) };
    case 'fundingRates': {
      const id = readOnly(query, 'product_id')?.['product_id'];
      return id === undefined ? null : { request: ofAll('fundingRates', LATEST), cut: pageOfTheRow(id) };
    }
    case 'chartPrice':
      return toWideChart(readOnly(query, 'begin_time'), venueNow, (pairs, begin) => ({
        request: toVenueRequest(profile, name, pathParameters, pairs),
        cut: since('', 'time', begin),
      }));
    case 'chartVoi':
      return toWideChart(readOnly(query, 'begin_time', 'product_id'), venueNow, (pairs, begin, id) => ({
        request: ofAll(name, pairs),
        cut: since(id, 'date', begin.slice(0, DAY_LENGTH)),
      }));
    default:
      return null;
  }
}

type Given = Readonly<Partial<Record<string, string>>>;

/** Returns the parameters if they are exactly these, each given once. */
function readOnly(query: VenueRequest['query'], ...names: readonly string[]): Given | null {
  const given = Object.fromEntries(query);
  return query.length === names.length && names.every((name) => Object.hasOwn(given, name)) ? given : null;
}

function toWideChart(
  given: Given | null,
  venueNow: number,
  toWide: (pairs: VenueRequest['query'], begin: string, id: string) => WideRequest,
): WideRequest | null {
  const { begin_time: begin = '', product_id: id = '' } = given ?? {};
  const from = toWideBegin(begin, venueNow);
  return from === null ? null : toWide([['begin_time', from]], begin, id);
}

/** Splits a response. Rows that name no product are those of the product `''`. */
export function splitWide(name: EndpointName, text: string): WideRows {
  const page = ENDPOINTS[name].paged ? splitFields(text) : new Map<string, string>();
  const list = page.get('data') ?? text;
  const all = splitList(list, list.indexOf('[') + 1).map((row) => ({ text: row, fields: readFields(row) }));
  const byProduct = Map.groupBy(all, ({ fields }) => toText(fields['product_id'] ?? fields['productId']));
  return { all, of: (productId) => byProduct.get(productId) ?? [], page };
}

function toText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

/** None if the row is unreadable: it is then part of no narrower response. */
function readFields(row: string): WideRow['fields'] {
  try {
    const fields: unknown = JSON.parse(row);
    return typeof fields === 'object' && fields !== null ? (fields as WideRow['fields']) : {};
  } catch {
    return {};
  }
}

function theRow(id = ''): WideRequest['cut'] {
  return ({ of }) => {
    const [row, ...others] = of(id);
    return others.length > 0 ? null : (row?.text ?? null);
  };
}

/** The latest rate of a product is one row, on whichever page it is. */
function pageOfTheRow(id: string): WideRequest['cut'] {
  return (rows) => {
    const row = theRow(id)(rows);
    return row === null ? null : `{"data":[${row}],"pagination":${rows.page.get('pagination') ?? '{}'}}`;
  };
}

/** Returns the rows of a product since a time, of which a list of all products has none if it does not know it. */
function since(id: string, field: string, begin: string): WideRequest['cut'] {
  return ({ of }) => {
    const rows = of(id);
    if (rows.length === 0 && id !== '') return null;
    const wanted = rows.filter(({ fields }) => toText(fields[field]) >= begin);
    return `[${wanted.map(({ text }) => text).join(',')}]`;
  };
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const WIDE_MONTHS = 13;

/**
 * Returns the first day of a month, thirteen months ago, so that ranges of up to a year share a read for a month; null
 * if the range is longer, or does not begin at a midnight, where a row’s day alone does not say whether it belongs.
 */
function toWideBegin(begin: string, venueNow: number): string | null {
  const nanos = parseInstant(begin);
  const now = new Date(venueNow);
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - WIDE_MONTHS);
  if (nanos === null || !begin.includes('T00:00:00') || toEpochMillis(nanos) < from) return null;
  return new Date(from).toISOString().replace('.000', '');
}
