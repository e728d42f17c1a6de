/** A row of a response with any content. */
export type Row = Readonly<Record<string, unknown>>;

/** A response that a fault changes. */
interface Recorded {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Changes a response. Some faults need the id of the perpetual that they are about. */
export type Change = (response: Recorded, productId: number) => Recorded;

/** The perpetual that faults are about, and its series. */
export const SYMBOL = 'PBTCUCZ50';

/**
 * The requests of the page in which faults are planted. Settled rates, working orders and specifications come through
 * Perpdesk's own endpoints.
 */
export const PLACES = {
  chartPrice: /\/api\/web\/charts\/price\//,
  chartVoi: /\/api\/web\/charts\/voi/,
  fundingRates: /\/api\/funding-rates\/\?/,
  fundingEstimated: /\/api\/funding-rates\/estimated\//,
  trailingStats: /\/api\/web\/market\/stats\/trailing\//,
  productData: /\/api\/product\/data\//,
  orders: /\/api\/orders\?/,
  products: /\/api\/desk\/products/,
  funding: /\/api\/desk\/funding\?/,
  working: /\/api\/desk\/working/,
  status: /\/api\/desk\/status/,
} as const;

export type Place = keyof typeof PLACES;

/** The places where the test looks for faults. */
export const SCREENS = {
  'Markets': `/?q=${SYMBOL}`,
  'Price': `/price/${SYMBOL}`,
  'Volume / OI': `/volume/${SYMBOL}`,
  'Volume / OI, total': `/volume/${SYMBOL},PETHUIZ50`,
  'Funding': '/funding?window=7d',
  'Funding, one perpetual': '/funding/BTCUC',
  'Carry in contracts': '/funding/BTCUC?size=contracts',
  'Working orders': '/orders',
  'Order history': '/orders/history',
  'Order history, filtered': `/orders/history?f=product:is:${SYMBOL}`,
} as const;

export type Screen = keyof typeof SCREENS;

/**
 * How a screen shows a fault: by a visible text, by the place of a deviation in its list of them, by a missing figure in
 * the perpetual's row, whose tooltip gives the reason, or by a mark in that row and a count below, which opens to what is
 * withheld and why.
 */
export type Evidence =
  | RegExp
  | { readonly deviation: string }
  | { readonly withheld: RegExp }
  | { readonly column: string; readonly text: string; readonly reason: RegExp };

type Kind =
  | 'malformed'
  | 'wrong type'
  | 'wrong row'
  | 'wrong unit'
  | 'wrong value'
  | 'missing'
  | 'late'
  | 'out of order'
  | 'contradicting'
  | 'unknown'
  | 'transport';

export interface Fault {
  readonly name: string;
  readonly kind: Kind;
  readonly places: readonly Place[];
  readonly change: Change;
  readonly shown: Readonly<Partial<Record<Screen, Evidence>>>;
  /** Why these screens do not show the fault. */
  readonly silent: { readonly because: string; readonly screens: readonly Screen[] } | null;
}

/** Creates faults in the same places, which the same screens show or do not show. */
export function faultsIn(places: readonly Place[], screens: readonly Screen[]) {
  return {
    shown: (name: string, kind: Kind, change: Change, shown: Evidence): Fault => ({
      name,
      kind,
      places,
      change,
      shown: Object.fromEntries(screens.map((screen) => [screen, shown])),
      silent: null,
    }),
    shownOn: (name: string, kind: Kind, change: Change, shown: Fault['shown']): Fault => ({
      name,
      kind,
      places,
      change,
      shown,
      silent: null,
    }),
    silent: (name: string, kind: Kind, change: Change, because: string): Fault => ({
      name,
      kind,
      places,
      change,
      shown: {},
      silent: { because, screens },
    }),
  };
}

/** Returns the evidence of a figure that is shown as missing, with the reason. */
export function missing(column: string, reason: RegExp): Evidence {
  return { column, text: '–', reason };
}

/** Returns the evidence of figures that Markets withholds, with the reason. */
export function withheldInList(figures: string, reason = ''): Evidence {
  return { withheld: new RegExp(`${SYMBOL}: ${figures} withheld\\. ${reason}`) };
}

/** Returns the evidence of a deviation at a place of a row, such as a field. */
export function at(place: string): Evidence {
  return { deviation: `${place}: expected` };
}
