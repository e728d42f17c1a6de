/**
 * The interface document, implemented a second time for the fuzz tests. It uses nothing from the contract, so that a
 * bug there cannot hide here.
 */

const ID = /^[1-9][0-9]{0,8}$/;
const CODE = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,63}$/;
const NAME = /^(?! )[ -~]{1,64}(?<! )$/;
const HEX = /^[0-9A-Fa-f]{1,64}$/;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const TIME = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$/;

type Accepts = (value: string) => boolean;

const like =
  (pattern: RegExp): Accepts =>
  (value) =>
    pattern.test(value);

const isDay: Accepts = (value) => {
  if (!DAY.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

const isTime: Accepts = (value) => isDay(TIME.exec(value)?.[1] ?? '');
const isTimeOrNow: Accepts = (value) => value === 'now' || isTime(value);
const isLimit =
  (largest: number): Accepts =>
  (value) =>
    /^[1-9][0-9]{0,4}$/.test(value) && Number(value) <= largest;
/** After decoding, a cursor may contain anything. */
const isCursor: Accepts = (value) => value.length > 0 && value.length <= 2_048;

const filters: readonly (readonly [string, Accepts])[] = [
  ['symbol', like(NAME)],
  ['product_id', like(ID)],
  ['product_type', like(/^(?:Future|Spread|Option)$/)],
  ['clearing_member_code', like(NAME)],
  ['account_id', like(NAME)],
  ['connection_id', like(HEX)],
];
const times: readonly (readonly [string, Accepts])[] = [
  ['begin_time', isTime],
  ['end_time', isTimeOrNow],
];
const order: readonly [string, Accepts] = ['order', like(/^(?:asc|desc)$/)];
const limit = (largest: number): readonly [string, Accepts] => ['limit', isLimit(largest)];
const cursor: readonly [string, Accepts] = ['cursor', isCursor];
const day: readonly [string, Accepts] = ['day', isDay];
const flags: readonly (readonly [string, Accepts])[] = [
  day,
  ['active', like(/^(?:true|false)$/)],
  ['base_symbol', like(CODE)],
];

interface Line {
  readonly path: RegExp;
  readonly query: readonly (readonly [string, Accepts])[];
  readonly isSigned: boolean;
}

const code = String.raw`(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]|%3A){0,63})`;
const id = '[1-9][0-9]{0,8}';
const line = (path: string, query: Line['query'] = [], isSigned = false): Line => ({
  path: new RegExp(`^/exchange/api${path}$`),
  query,
  isSigned,
});

const TABLE: readonly Line[] = [
  line(`/web/charts/price/${id}`, times),
  line('/web/charts/voi', [['product_id', like(ID)], ...times]),
  line('/v1/funding-rates/', [
    ['product_id', like(ID)],
    ['base_symbol', like(CODE)],
    limit(10_000),
    ...times,
    order,
    cursor,
  ]),
  line(`/v1/funding-rates/estimated/${code}`),
  line('/v1/prod/orders', [...filters, day, limit(1_000), ...times, order, cursor], true),
  line('/v1/prod/orders/working', filters, true),
  line('/web/market/stats/trailing/all-products'),
  line(`/web/market/stats/trailing/${id}`),
  line('/v1/prod/product/specs/', flags),
  line(`/v1/prod/product/spec/${id}`, [day]),
  line('/v1/prod/product/data/', flags),
  line(`/v1/prod/product/data/${id}`, [day]),
];

/**
 * Returns what is wrong with a request that reached the exchange; null if it matches the interface in its canonical
 * form.
 */
export function findViolation(target: string, isSigned: boolean): string | null {
  if (!/^[!-~]+$/.test(target)) return 'a character that is not printable ASCII';
  const [path = '', ...rest] = target.split('?');
  if (rest.length > 1) return 'more than one question mark';
  const found = TABLE.find((entry) => entry.path.test(path));
  if (found === undefined) return 'an unknown path';
  if (found.isSigned !== isSigned)
    return found.isSigned ? 'a private request without a signature' : 'a public request with a signature';
  return rest[0] === undefined ? null : findQueryViolation(rest[0], found);
}

function findQueryViolation(query: string, { query: known }: Line): string | null {
  const names = known.map(([name]) => name);
  let last = -1;
  for (const pair of query.split('&')) {
    const [name = '', value, ...more] = pair.split('=');
    const place = names.indexOf(name);
    const accepts = known[place]?.[1];
    if (accepts === undefined) return `an unknown parameter: ${name}`;
    if (value === undefined || more.length > 0) return `not exactly one value: ${pair}`;
    if (place < last) return `a parameter out of order: ${name}`;
    if (place === last && !(name === 'product_id' && known.length === 3)) return `a parameter twice: ${name}`;
    if (!accepts(decodeURIComponent(value))) return `an invalid value: ${pair}`;
    if (encode(decodeURIComponent(value)) !== value) return `a value that is not in canonical form: ${pair}`;
    last = place;
  }
  return null;
}

/** Percent-encodes every byte except the unreserved ones of RFC 3986 and the marks that queries need not encode. */
function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~!*'():-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
