import fc from 'fast-check';

const sample = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

const goodId = fc.integer({ min: 1, max: 999_999_999 }).map(String);
const goodDay = sample('2026-08-17', '2024-02-29', '0000-01-01', '9999-12-31');
const goodTime = fc
  .tuple(goodDay, sample('', '.5', '.496334704'))
  .map(([day, fraction]) => `${day}T23:45:21${fraction}Z`);
const goodCode = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,12}$/);
const goodName = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/);
const goodCursor = fc.oneof(
  fc.base64String({ minLength: 1, maxLength: 40 }).filter((text) => text !== ''),
  goodName.map((name) => encodeURIComponent(name)),
);

const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  product_id: goodId,
  base_symbol: goodCode,
  limit: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1_001, max: 10_000 })).map(String),
  begin_time: goodTime,
  end_time: fc.oneof(goodTime, fc.constant('now')),
  order: sample('asc', 'desc'),
  cursor: goodCursor,
  day: goodDay,
  symbol: goodName,
  product_type: sample('Future', 'Spread', 'Option'),
  clearing_member_code: goodName,
  account_id: goodName,
  connection_id: fc.stringMatching(/^[0-9a-f]{1,12}$/),
  active: sample('true', 'false'),
};

const RANGE = ['begin_time', 'end_time'];
const FILTERS = ['symbol', 'product_id', 'product_type', 'clearing_member_code', 'account_id', 'connection_id'];
const FLAGS = ['day', 'active', 'base_symbol'];

const ENDPOINTS: readonly (readonly [path: fc.Arbitrary<string>, parameters: readonly string[]])[] = [
  [fc.constant('/funding-rates/'), ['product_id', 'base_symbol', 'limit', ...RANGE, 'order', 'cursor']],
  [fc.constant('/orders'), [...FILTERS, 'day', 'limit', ...RANGE, 'order', 'cursor']],
  [fc.constant('/orders/working'), FILTERS],
  [fc.constant('/web/charts/voi'), ['product_id', ...RANGE]],
  [goodId.map((id) => `/web/charts/price/${id}`), RANGE],
  [goodCode.map((code) => `/funding-rates/estimated/${code}`), []],
  [fc.oneof(fc.constant('all-products'), goodId).map((id) => `/web/market/stats/trailing/${id}`), []],
  [sample('/product/specs/', '/product/data/'), FLAGS],
  [fc.tuple(sample('/product/spec/', '/product/data/'), goodId).map((parts) => parts.join('')), ['day']],
];

const pairOf = (name: string): fc.Arbitrary<string> =>
  (VALUES[name] ?? fc.constant('')).map((value) => `${name}=${encodeURIComponent(value)}`);
const strayPair = fc.constantFrom(...Object.keys(VALUES)).chain(pairOf);

function targetsOf([path, parameters]: (typeof ENDPOINTS)[number]): fc.Arbitrary<string> {
  const own = fc.shuffledSubarray([...parameters]).chain((names) => fc.tuple(...names.map(pairOf)));
  const stray = fc.oneof(
    { weight: 9, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(strayPair, { maxLength: 1 }) },
  );
  return fc
    .tuple(path, own, stray)
    .map(
      ([at, pairs, more]) => `/api${at}${pairs.length + more.length === 0 ? '' : '?'}${[...pairs, ...more].join('&')}`,
    );
}

/** Targets with queries that are mostly valid, but may repeat a parameter or have one of another endpoint. */
export const nearlyGoodTarget: fc.Arbitrary<string> = fc.oneof(...ENDPOINTS.map(targetsOf));

/** Texts that attackers put into URLs. Line ends and spaces cannot be part of one; the framing tests cover those. */
const POISON = sample(
  ...[
    '/',
    '//',
    '.',
    '..',
    '/../',
    '/./',
    '%2f',
    '%2F',
    '%5c',
    '\\',
    '%2e%2e',
    '%2e',
    '%252e',
    '%252f',
    '%00',
    '\0',
    '%0d%0a',
    '%0aX:1',
    '%20',
    '+',
    '%',
  ],
  ...[
    '%zz',
    '%u0041',
    '%c0%af',
    '%ff',
    '\xe9',
    '\xff',
    ';',
    ';a=b',
    '#',
    '#a',
    '?',
    '??',
    '&',
    '&&',
    '=',
    '==',
    '@',
    ':',
    '*',
    '$',
    "'",
    '"',
    '<',
    '>',
    '`',
    '{',
    '|',
  ],
  ...[
    'http://localhost',
    '//evil.example',
    '/api',
    '/exchange/api',
    '/v1/prod',
    'all-products',
    'orders',
    'working',
    'desk',
    'limit=1',
    '&limit=1&limit=2',
    '__proto__',
    'constructor',
  ],
  ...[
    '?cursor=',
    '&cursor=%2525',
    '%E2%80%AE',
    '%EF%BC%8F',
    '%F0%9F%92%A9',
    '%ED%A0%80',
    'A'.repeat(70),
    'a'.repeat(300),
    '\x7f',
    '\t',
    '[]',
    '[0]',
    ',',
    '-1',
    '0',
    '1e9',
    'NaN',
    'null',
  ],
);

interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly poison: string;
}

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 3 }),
  poison: fc.oneof({ weight: 4, arbitrary: POISON }, { weight: 1, arbitrary: fc.constant('') }),
});

function spoil(target: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { at, cut, poison }) => {
    const place = Math.floor(at * text.length);
    return text.slice(0, place) + poison + text.slice(place + cut);
  }, target);
}

const encodedSomewhere = fc
  .tuple(nearlyGoodTarget, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([target, where]) => {
    const place = 5 + Math.floor(where * (target.length - 5));
    return `${target.slice(0, place)}%${(target.charCodeAt(place) || 0x61).toString(16).padStart(2, '0')}${target.slice(place + 1)}`;
  });

/** Latin1 characters except for spaces and line ends. */
const anyWord = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes.map((code) => ([0x20, 0x0a, 0x0d].includes(code) ? 0x2f : code))));

/** Request targets: valid, almost valid, and arbitrary. */
export const anyTarget: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: nearlyGoodTarget },
  { weight: 2, arbitrary: encodedSomewhere },
  {
    weight: 6,
    arbitrary: fc
      .tuple(nearlyGoodTarget, fc.array(edit, { minLength: 1, maxLength: 3 }))
      .map(([target, edits]) => spoil(target, edits)),
  },
  { weight: 1, arbitrary: anyWord.map((word) => `/api/${word}`) },
  { weight: 1, arbitrary: fc.array(POISON, { maxLength: 6 }).map((parts) => `/api${parts.join('')}`) },
  { weight: 1, arbitrary: anyWord },
);
