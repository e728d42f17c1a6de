import type { ParameterRule } from './row-rules.ts';
import { INSTANT_PATTERN, isDay, isInstant } from './instant.ts';
import { PRODUCT_ID_PATTERN } from './ids.ts';
import { PRODUCT_TYPES } from './order.ts';
import type { Shape } from './schema.ts';

/** The format of a parameter. `accepts` is the complete rule, and `sentence` describes it. */
export interface Grammar {
  readonly name: string;
  /** Completes "must be …". */
  readonly sentence: string;
  readonly shape: Shape;
  readonly example: string;
  readonly accepts: (text: string) => boolean;
}

/** Rows per page if no limit is given. The interface names no fixed default. */
export const DEFAULT_LIMIT = 100;

/**
 * Maximum page sizes, which the interface leaves open. A page of orders stays below 512 kB. A page of funding holds
 * nine years, so that the whole history of a perpetual takes one request.
 */
export const LARGEST_LIMIT = { orders: 1_000, funding: 10_000, journal: 10_000 } as const;

const LONGEST_CODE = 64;
/** Firms choose the format of names. Names occur only in queries, where they are encoded. */
const NAME_PATTERN = new RegExp(`^[!-~](?:[ -~]{0,${String(LONGEST_CODE - 2)}}[!-~])?$`);
const LONGEST_CURSOR = 2_048;
/** Codes occur in paths, where one that consists of dots (`..`) would change the path. */
const CODE_PATTERN = new RegExp(`^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,${String(LONGEST_CODE - 1)}}$`);
const CURSOR_PATTERN = new RegExp(`^[\\x21-\\x7e]{1,${String(LONGEST_CURSOR)}}$`);
const HEX_PATTERN = /^[0-9a-fA-F]{1,64}$/;

const byPattern = (pattern: RegExp) => (text: string) => pattern.test(text);
const oneOf = (values: readonly string[]) => (text: string) => values.includes(text);

const ORDERINGS = ['asc', 'desc'] as const;
const FLAGS = ['true', 'false'] as const;
const NOW = 'now';

export const productIdGrammar: Grammar = {
  name: 'product id',
  sentence: 'a product ID: a whole number from 1 to 999999999',
  shape: { type: 'string', pattern: PRODUCT_ID_PATTERN.source },
  example: '5599',
  accepts: byPattern(PRODUCT_ID_PATTERN),
};

export const codeGrammar: Grammar = {
  name: 'code',
  sentence: `a code: 1 to ${String(LONGEST_CODE)} letters, digits or _ . : -, beginning with a letter, a digit or _`,
  shape: { type: 'string', pattern: CODE_PATTERN.source },
  example: 'BTCUC',
  accepts: byPattern(CODE_PATTERN),
};

export const nameGrammar: Grammar = {
  name: 'name',
  sentence: `a name: 1 to ${String(LONGEST_CODE)} printable ASCII characters, without a space at either end`,
  shape: { type: 'string', pattern: NAME_PATTERN.source },
  example: 'BUSH27',
  accepts: byPattern(NAME_PATTERN),
};

export const connectionIdGrammar: Grammar = {
  name: 'connection id',
  sentence: 'a connection ID: 1 to 64 hexadecimal digits',
  shape: { type: 'string', pattern: HEX_PATTERN.source },
  example: '3f',
  accepts: byPattern(HEX_PATTERN),
};

export const productTypeGrammar: Grammar = {
  name: 'product type',
  sentence: `one of ${PRODUCT_TYPES.join(', ')}`,
  shape: { type: 'string', enum: PRODUCT_TYPES },
  example: 'Future',
  accepts: oneOf(PRODUCT_TYPES),
};

export const instantGrammar: Grammar = {
  name: 'time',
  sentence: 'an ISO 8601 timestamp in UTC with 0 to 9 fractional digits, such as 2026-08-17T23:45:21.496334704Z',
  shape: { type: 'string', pattern: INSTANT_PATTERN.source },
  example: '2026-08-17T00:00:00Z',
  accepts: isInstant,
};

export const instantOrNowGrammar: Grammar = {
  name: 'time or now',
  sentence: `${instantGrammar.sentence}, or the word now`,
  shape: { type: 'string', pattern: `^${NOW}$|${INSTANT_PATTERN.source}` },
  example: NOW,
  accepts: (text) => text === NOW || isInstant(text),
};

export const dayGrammar: Grammar = {
  name: 'day',
  sentence: 'a day YYYY-MM-DD',
  shape: { type: 'string', format: 'date' },
  example: '2026-08-17',
  accepts: isDay,
};

export const orderLimitGrammar = createLimitGrammar(LARGEST_LIMIT.orders);
export const journalLimitGrammar = createLimitGrammar(LARGEST_LIMIT.journal);
export const fundingLimitGrammar = createLimitGrammar(LARGEST_LIMIT.funding);

/** The maximum is a power of ten, so that a pattern can express the whole rule. */
function createLimitGrammar(largest: number): Grammar {
  const pattern = new RegExp(`^(?:[1-9]\\d{0,${String(String(largest).length - 2)}}|${String(largest)})$`);
  return {
    name: 'limit',
    sentence: `a whole number from 1 to ${String(largest)}`,
    shape: { type: 'string', pattern: pattern.source },
    example: '100',
    accepts: byPattern(pattern),
  };
}

export const orderingGrammar: Grammar = {
  name: 'order',
  sentence: 'asc or desc',
  shape: { type: 'string', enum: ORDERINGS },
  example: 'desc',
  accepts: oneOf(ORDERINGS),
};

export const flagGrammar: Grammar = {
  name: 'flag',
  sentence: 'true or false',
  shape: { type: 'string', enum: FLAGS },
  example: 'true',
  accepts: oneOf(FLAGS),
};

export const cursorGrammar: Grammar = {
  name: 'cursor',
  sentence: `a cursor from an earlier page: 1 to ${String(LONGEST_CURSOR)} printable characters`,
  shape: { type: 'string', pattern: CURSOR_PATTERN.source },
  example: 'b3BhcXVl',
  accepts: byPattern(CURSOR_PATTERN),
};

/** A parameter of an endpoint, in its path or its query. */
export interface Parameter {
  readonly grammar: Grammar;
  readonly description: string;
  /** Whether it may be repeated. A request that repeats any other parameter is rejected. */
  readonly repeatable?: true;
  /** How a row proves that it satisfies the parameter; absent if rows cannot prove it. */
  readonly rule?: ParameterRule;
}

/**
 * Parameters that endpoints share. Where a description says “here”, the interface leaves a point open and the embedded
 * exchange decides it; its README lists these decisions.
 */

export const productId: Parameter = {
  grammar: productIdGrammar,
  description: 'Product id.',
  rule: { kind: 'equal', fields: ['product_id', 'productId'] },
};
export const productIds = {
  ...productId,
  description: 'Product id. Repeat it to get the total of several products.',
  repeatable: true,
} as const satisfies Parameter;
export const baseSymbol: Parameter = {
  grammar: codeGrammar,
  description: 'Base symbol of a product series.',
  rule: { kind: 'equal', fields: ['base_symbol'] },
};
/** Settled rates have no base symbol, but those of one perpetual share a product ID. */
export const perpetualBaseSymbol: Parameter = { ...baseSymbol, rule: { kind: 'alike', field: 'product_id' } };
const PER_PAGE = 'Rows per page. The interface names no maximum and no fixed default; here the maximum is';
export const orderLimit: Parameter = {
  grammar: orderLimitGrammar,
  description: `${PER_PAGE} ${String(LARGEST_LIMIT.orders)} and the default ${String(DEFAULT_LIMIT)}.`,
};
export const fundingLimit: Parameter = {
  grammar: fundingLimitGrammar,
  description: `${PER_PAGE} ${String(LARGEST_LIMIT.funding)} and the default ${String(DEFAULT_LIMIT)}.`,
};
export const orderOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Sort order: oldest or newest first. The interface names no default; here it is newest first.',
  rule: { kind: 'order' },
};
export const fundingOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Sort order: oldest or newest first; newest first by default.',
  rule: { kind: 'order' },
};
export const cursor: Parameter = { grammar: cursorGrammar, description: 'Cursor from the previous page.' };
export const day: Parameter = {
  grammar: dayGrammar,
  description:
    'One day; overrides begin_time and end_time. The interface does not define its format; here it is a ' +
    'trading day, from settlement to settlement.',
  rule: { kind: 'day' },
};

/** A time range. It selects sessions by their settlement and orders by their acceptance. */
export const range = {
  begin_time: {
    grammar: instantGrammar,
    description: 'Start of the range. The interface does not say whether it is inclusive; here it is.',
    rule: { kind: 'begin' },
  },
  end_time: {
    grammar: instantOrNowGrammar,
    description: 'End of the range. The interface does not say whether it is inclusive; here it is not.',
    rule: { kind: 'end' },
  },
} as const satisfies Record<string, Parameter>;

/** Parameters of the settled funding stored by Perpdesk. */
export const deskFundingQuery = {
  base_symbol: { ...baseSymbol, description: 'Base symbol of one perpetual; all perpetuals without it.' },
  begin_time: { grammar: instantGrammar, description: 'Only intervals that ended at or after this time.' },
  cursor: { ...cursor, description: 'Cursor from the previous page of one perpetual.' },
  limit: { ...fundingLimit, description: 'Rows per page, for one perpetual.' },
} as const satisfies Record<string, Parameter>;

/** Parameters of the predicted rates stored by Perpdesk. */
export const deskEstimatesQuery = {
  base_symbol: deskFundingQuery.base_symbol,
  begin_time: deskFundingQuery.begin_time,
  near_points: {
    grammar: flagGrammar,
    description:
      'Only estimates from the 5 % of an interval that precede 25, 50, 75 and 95 % of it, the points at which they are ' +
      'compared with the settled rate.',
  },
} as const satisfies Record<string, Parameter>;

/** Filters of both order endpoints. An order must match all of them. */
export const orderFilters = {
  symbol: { grammar: nameGrammar, description: 'Product symbol.', rule: { kind: 'equal', fields: ['symbol'] } },
  product_id: productId,
  product_type: {
    grammar: productTypeGrammar,
    description: 'Product type.',
    rule: { kind: 'equal', fields: ['product_type'] },
  },
  clearing_member_code: {
    grammar: nameGrammar,
    description: 'Short name of the clearing firm.',
    rule: { kind: 'equal', fields: ['clearing_firm_code'] },
  },
  account_id: { grammar: nameGrammar, description: 'Account code.', rule: { kind: 'equal', fields: ['account_id'] } },
  connection_id: {
    grammar: connectionIdGrammar,
    description: 'Id of the connection that sent the order.',
    rule: { kind: 'equal', fields: ['connection_id'], ignoresCase: true },
  },
} as const satisfies Record<string, Parameter>;

export const dayOfProducts: Parameter = {
  grammar: dayGrammar,
  description: 'Products as of this day; today by default.',
};

/** Filters of products, and the day. */
export const productFlags = {
  day: dayOfProducts,
  active: { grammar: flagGrammar, description: 'Whether to return only products that trade.' },
  base_symbol: baseSymbol,
} as const satisfies Record<string, Parameter>;
