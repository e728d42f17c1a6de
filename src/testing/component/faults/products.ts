import { withDoubts } from '#contract/desk/specification-doubts.ts';
import { besideNewest, having, inBody, inEach, inList, inOwn, times, withField, without } from './changes.ts';
import { at, faultsIn, SYMBOL, withheldInList, type Change, type Fault, type Row } from './fault.ts';

const { shown, shownOn, silent } = faultsIn(['products'], ['Markets']);
const lost = (found: string) => ({ Markets: at(found), Price: /No product “PBTCUCZ50”/ });

/** A tick size that other figures contradict. */
function tickSize(factor: number, inverse: string): Fault {
  const reason = new RegExp(`The published tick size, .*, gives about ${inverse} the exchange’s own USD price`);
  return shownOn(
    `a tick size ${String(factor)} times as large`,
    'wrong unit',
    inOwn(withField('price_increment', times(factor))),
    {
      'Markets': withheldInList('USD prices.*'),
      'Price': reason,
      'Funding, one perpetual': reason,
    },
  );
}

const NOT_LISTED = /1 product with data is not listed\. .* lacks product 5614/;

/** Changes products as the exchange lists them, before Perpdesk compares them. */
function listing(changeRow: (row: Row) => Row): Change {
  return inList((rows) => withDoubts(rows.map(changeRow)));
}

/** Changes a product by its symbol. */
function of(symbol: string, change: (row: Row) => Row): (row: Row) => Row {
  return (row) => (row['symbol'] === symbol ? change(row) : row);
}

const PUT = 'BUSU26-P110000';
const SPREAD = 'BUSU26-BUSZ26';

const PERPETUALS: Readonly<Record<string, string>> = { PBTCUCZ50: 'PETHUIZ50', PETHUIZ50: 'PBTCUCZ50' };

const doubted = (name: string, reason: string) =>
  new RegExp(`${name}: specification in doubt\\. (?:.*, for example: )?${reason}`);

/** Says so on each screen of a product. */
function onEach(name: string, reason: string): Fault['shown'] {
  const pattern = doubted(name, reason);
  return { 'Markets': pattern, 'Price': pattern, 'Volume / OI': pattern, 'Funding, one perpetual': pattern };
}

/** Specifications that contradict themselves. */
const CONTRADICTIONS: readonly Fault[] = [
  shown(
    'an expiry in another month than that of the symbol',
    'contradicting',
    listing(of('BUSZ26', having({ final_settle_time: '2027-03-26T21:00:00Z' }))),
    doubted('BUSZ26', 'The symbol says Z26, but the final settlement is 2027-03-26T21:00:00Z'),
  ),
  shown(
    'an expiry an hour after that of the other contracts of its month',
    'contradicting',
    listing(of('BUSZ26', having({ final_settle_time: '2026-12-25T23:00:00.000000Z' }))),
    doubted('BUSZ26', 'The final settlement of BUSZ26 is 2026-12-25T23:00:00.000000Z, but that of the other series'),
  ),
  shown(
    'a contract month other than that of the symbol',
    'contradicting',
    listing(of('BUSZ26', having({ month: 'H', year: 2_027 }))),
    doubted('BUSZ26', 'The symbol says Z26, but the contract month is H 2027'),
  ),
  shown(
    'a first trading day after the expiry',
    'contradicting',
    listing(of('BUSZ26', having({ first_trading_day: '2027-01-01' }))),
    doubted('BUSZ26', 'BUSZ26 would begin to trade on 2027-01-01'),
  ),
  shown(
    'the name of another contract',
    'contradicting',
    listing(of('BUSZ26', having({ product_name: 'Bitcoin US Dollar Standard Future H27' }))),
    doubted('BUSZ26', 'The name of BUSZ26 is “Bitcoin US Dollar Standard Future H27”'),
  ),
  shown(
    'a strike ten times as high',
    'wrong unit',
    listing(of(PUT, withField('strike_price', times(10)))),
    doubted(PUT, `The symbol ${PUT} has another strike`),
  ),
  shown(
    'a put that is called a call',
    'contradicting',
    listing(of(PUT, having({ option_type: 'call' }))),
    doubted(PUT, `The symbol ${PUT} is not that of a call`),
  ),
  shown(
    'an option on another contract than its symbol says',
    'wrong row',
    listing(of(PUT, having({ underlying_product: 15_056 }))),
    doubted(PUT, `The symbol ${PUT} is not that of an option on`),
  ),
  shown(
    'a spread whose legs are bought and sold the other way round',
    'contradicting',
    listing((row) =>
      row['symbol'] === SPREAD
        ? { ...row, legs: (row['legs'] as readonly Row[]).map(withField('weight', (weight) => -Number(weight))) }
        : row,
    ),
    doubted(SPREAD, `The legs of ${SPREAD} are -1 `),
  ),
  shown(
    'one symbol for two products',
    'contradicting',
    listing(of('BUSZ26', having({ symbol: 'BUSU26' }))),
    /specification in doubt\. .*BUSU26 is the symbol of the products 15120 and 15312/,
  ),
  shownOn(
    'a contract of another underlying than its quotation',
    'contradicting',
    listing(of(SYMBOL, having({ contract_size_unit: 'ETH' }))),
    onEach(SYMBOL, 'The contract is of 0.01 ETH, but its price is quoted in USD per BTC'),
  ),
  shownOn(
    'the symbols of two products exchanged',
    'wrong row',
    listing((row) => ({ ...row, symbol: PERPETUALS[String(row['symbol'])] ?? row['symbol'] })),
    {
      'Markets': doubted('PETHUIZ50, PBTCUCZ50|PBTCUCZ50, PETHUIZ50', ''),
      'Price': doubted(SYMBOL, 'The symbol PBTCUCZ50 is of another series than ETHUI'),
      'Volume / OI': doubted(SYMBOL, 'The symbol PBTCUCZ50 is of another series than ETHUI'),
    },
  ),
  silent(
    'unit and quotation of another underlying',
    'contradicting',
    listing(of(SYMBOL, having({ contract_size_unit: 'ETH', price_quotation_unit: 'USD per ETH' }))),
    'Symbols do not spell their underlying, and its name may be any.',
  ),
];

/** Specifications of products. */
export const PRODUCT_FAULTS: readonly Fault[] = [
  tickSize(1.05, '1.05 times'),
  tickSize(1.5, '1.5 times'),
  tickSize(0.8, '0.8 times'),
  tickSize(0.5, '0.5 times'),
  tickSize(2, '2 times'),
  tickSize(1_000, '1,000 times'),
  tickSize(0.001, '1/1,000 of'),
  shownOn('a tick size as a text', 'wrong type', inOwn(withField('price_increment', String)), lost('price_increment')),
  shownOn('a tick size of zero', 'wrong value', inOwn(having({ price_increment: 0 })), lost('price_increment')),
  shownOn(
    'a negative tick size',
    'wrong value',
    inOwn(withField('price_increment', times(-1))),
    lost('price_increment'),
  ),
  shownOn('no tick size', 'missing', inOwn(having({ price_increment: undefined })), {
    'Carry in contracts': /Carry not calculated\. The exchange publishes no contract size or tick size/,
  }),
  shownOn('a contract size ten times as large', 'wrong unit', inOwn(withField('contract_size', times(10))), {
    'Markets': withheldInList(
      'USD prices, USD values',
      '.*The published tick size, .*, or contract size, .*, looks wrong',
    ),
    'Price':
      /Not available\. Contract size, 24 h volume, Open interest: The published contract size, .*, gives about 10 times/,
    'Volume / OI': new RegExp(
      `${SYMBOL}: USD values withheld\\. The published contract size, .*, gives about 10 times`,
    ),
    'Carry in contracts': /Carry not calculated\. The published contract size, .*, gives about 10 times/,
  }),
  shownOn('a contract size of zero', 'wrong value', inOwn(having({ contract_size: 0 })), lost('contract_size')),
  shownOn(
    'a negative contract size',
    'wrong value',
    inOwn(withField('contract_size', times(-1))),
    lost('contract_size'),
  ),
  shownOn('a contract size as a text', 'wrong type', inOwn(withField('contract_size', String)), lost('contract_size')),
  shownOn('an unknown product type', 'unknown', inOwn(having({ type: 'swap' })), {
    Markets: at('type'),
    Price: /swap · contract size/,
  }),
  shown('a product type in capitals', 'unknown', inOwn(having({ type: 'PERPETUAL' })), at('type')),
  shown(
    'a perpetual that trades marked as expired',
    'contradicting',
    inOwn(having({ product_status: 'expired' })),
    /1 product marked as expired is in doubt\. .* PBTCUCZ50 still trades/,
  ),
  shownOn('an unknown product status', 'unknown', inOwn(having({ product_status: 'halted' })), {
    Markets: at('product_status'),
    Price: /halted · contract size/,
  }),
  shown(
    'an unknown product type and status',
    'unknown',
    inOwn(having({ type: 'swap', product_status: 'halted' })),
    at('type'),
  ),
  shown('a symbol as a number', 'wrong type', inOwn(having({ symbol: 5 })), at('symbol')),
  shownOn('a product without a symbol', 'missing', inOwn(having({ symbol: undefined })), {
    Price: /No product “PBTCUCZ50”/,
  }),
  shown(
    'a symbol in lower case',
    'wrong value',
    inOwn(withField('symbol', (symbol) => String(symbol).toLowerCase())),
    /pbtcucz50/,
  ),
  shown('a product id as a text', 'wrong type', inOwn(withField('product_id', String)), at('product_id')),
  shownOn(
    'a product that is not listed',
    'missing',
    without(() => true),
    { Markets: NOT_LISTED, Price: /No product “PBTCUCZ50”/ },
  ),
  faultsIn(['funding'], ['Funding']).shown(
    'a perpetual that is not listed',
    'missing',
    inBody(({ perpetuals, ...body }) => ({
      ...body,
      perpetuals: (perpetuals as readonly Row[]).filter(({ product_id: id }) => id !== 5_614),
    })),
    NOT_LISTED,
  ),
  shown('a product id of another product', 'wrong row', inOwn(having({ product_id: 9_999 })), NOT_LISTED),
  ...CONTRADICTIONS,
  shownOn(
    'no products at all',
    'missing',
    inList(() => []),
    { Markets: /No active products/, Price: /No product “PBTCUCZ50”/ },
  ),
  shown(
    'a product twice',
    'wrong row',
    besideNewest((row) => row),
    /Products: 1 row left out/,
  ),
  shown(
    'two products of one id that contradict each other',
    'contradicting',
    besideNewest(having({ contract_size: 5 })),
    /Products: 2 rows left out/,
  ),
  shown('an unknown field of a product', 'unknown', inEach(having({ margin: 5 })), at('margin')),
  silent(
    'no settlement time of day',
    'missing',
    inOwn(having({ daily_settle_time: undefined })),
    'No screen shows it, and nothing is computed from it.',
  ),
];
