import { isDay } from './day.ts';
import { PRODUCT_ID_PATTERN } from './ids.ts';
import { INSTANT_PATTERN, isInstant } from './instant.ts';
import { PRODUCT_TYPES } from './order.ts';
import type { Shape } from './schema.ts';

/** The format of a parameter. `accepts` is the complete rule; `sentence` describes it. */
export interface Grammar {
  readonly name: string;
  /** Completes "must be …". */
  readonly sentence: string;
  readonly shape: Shape;
  readonly example: string;
  readonly accepts: (text: string) => boolean;
}

/** Rows per page without a limit: the interface names no fixed default. */
export const DEFAULT_LIMIT = 100;

/**
 * Maximum page sizes: the interface names none. A page of orders stays below 512 kB; a page of funding holds nine years,
 * so that the whole history of a perpetual costs one request.
 */
export const LARGEST_LIMIT = { orders: 1_000, funding: 10_000, journal: 10_000 } as const;

const LONGEST_CODE = 64;
/** The format of names is up to the firms. They occur in queries only, where they are encoded. */
const NAME_PATTERN = new RegExp(`^[!-~](?:[ -~]{0,${String(LONGEST_CODE - 2)}}[!-~])?$`);
const LONGEST_CURSOR = 2_048;
/** Codes occur in paths, where one of dots only (`..`) would change the path. */
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
