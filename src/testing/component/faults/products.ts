import { besideNewest, having, inEach, inList, inOwn, times, withField, without } from './changes.ts';
import { at, faultsIn, SYMBOL, type Fault } from './fault.ts';

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
      'Markets': new RegExp(`${SYMBOL}: USD prices withheld`),
      'Price': reason,
      'Funding, one perpetual': reason,
    },
  );
}

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
    'Funding, one perpetual': /Carry not calculated\. The exchange publishes no contract size or tick size/,
  }),
  shownOn('a contract size ten times as large', 'wrong unit', inOwn(withField('contract_size', times(10))), {
    'Markets': new RegExp(
      `${SYMBOL}: USD prices withheld\\. .*The published tick size, .*, or contract size, .*, looks wrong`,
    ),
    'Price':
      /Not available\. Contract size, 24 h volume, Open interest: The published contract size, .*, gives about 10 times/,
    'Volume / OI': new RegExp(
      `${SYMBOL}: USD values withheld\\. The published contract size, .*, gives about 10 times`,
    ),
    'Funding, one perpetual': /Carry not calculated\. The published contract size, .*, gives about 10 times/,
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
    { Price: /No product “PBTCUCZ50”/ },
  ),
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
