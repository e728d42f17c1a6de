import {
  having,
  inBody,
  inEach,
  inFirst,
  inList,
  inOwn,
  later,
  renamed,
  times,
  withField,
  withoutZone,
} from './changes.ts';
import { at, faultsIn, type Fault, type Row } from './fault.ts';

const both = faultsIn(['orders', 'working'], ['Working orders', 'Order history']);
const history = faultsIn(['orders'], ['Order history']);
const working = faultsIn(['working'], ['Working orders']);

/** Returns a deviation that the list of working orders shows, and a row that the history counts. */
function leftOut(field: string): Fault['shown'] {
  return { 'Working orders': at(field), 'Order history': /1 row from the exchange failed validation and is left out/ };
}

/** Returns a deviation of a row that stays, which the history counts. */
function named(field: string): Fault['shown'] {
  return { 'Working orders': at(field), 'Order history': /1 deviation from the API/ };
}

/** Returns an unknown value, which is shown as received. */
function asItCame(field: string, value: RegExp): Fault['shown'] {
  return { 'Working orders': at(field), 'Order history': value };
}

const SECOND = 1 / 86_400;

function filledBeyondLimit(time_in_force: string) {
  return (row: Row): Row => ({
    ...row,
    time_in_force,
    side: 'Bid',
    quantity_requested: 5,
    quantity_filled: 2,
    avg_price: Number(row['price']) + 10,
  });
}

/** Orders, working and past. */
export const ORDER_FAULTS: readonly Fault[] = [
  both.shownOn('an order id as a number', 'wrong type', inFirst(withField('id', Number)), leftOut('id')),
  both.shownOn('an order without an id', 'missing', inFirst(having({ id: undefined })), leftOut('id')),
  both.shownOn('an order id with letters', 'malformed', inFirst(having({ id: 'order-1' })), named('id')),
  both.shownOn('an order without its time', 'missing', inFirst(having({ time: undefined })), leftOut('time')),
  both.shownOn('an order time without a zone', 'malformed', inFirst(withField('time', withoutZone)), named('time')),
  both.shownOn('an order price of null', 'missing', inFirst(having({ price: null })), leftOut('price')),
  both.shownOn('an order price as a text', 'wrong type', inFirst(withField('price', String)), leftOut('price')),
  both.shownOn('an unknown side', 'unknown', inFirst(having({ side: 'Buy' })), asItCame('side', /\bBuy\b/)),
  both.shownOn('a side in lower case', 'unknown', inFirst(having({ side: 'ask' })), asItCame('side', /\bask\b/)),
  both.shownOn(
    'an unknown order status',
    'unknown',
    inFirst(having({ status: 'Suspended' })),
    asItCame('status', /Suspended/),
  ),
  both.shownOn(
    'an unknown time in force',
    'unknown',
    inFirst(having({ time_in_force: 'GTD' })),
    asItCame('time_in_force', /GTD/),
  ),
  both.shownOn(
    'an unknown product type of an order',
    'unknown',
    inFirst(having({ product_type: 'Swap' })),
    asItCame('product_type', /\bSwap\b/),
  ),
  both.shown(
    'more filled than requested',
    'contradicting',
    inFirst(having({ quantity_requested: 5, quantity_filled: 10 })),
    /Quantity withheld/,
  ),
  both.shown(
    'a negative quantity',
    'wrong value',
    inFirst(having({ quantity_requested: -5, quantity_filled: 0 })),
    /Quantity withheld/,
  ),
  both.shownOn(
    'a quantity as a text',
    'wrong type',
    inFirst(withField('quantity_requested', String)),
    leftOut('quantity_requested'),
  ),
  both.shownOn(
    'an order without its account',
    'missing',
    inFirst(having({ account_id: undefined })),
    leftOut('account_id'),
  ),
  both.shownOn('accounts under another name', 'malformed', inEach(renamed('account_id', 'accountId')), {
    'Working orders': at('account_id'),
    'Order history': /500 rows from the exchange failed validation and are left out/,
  }),
  both.shownOn(
    'null among the orders',
    'malformed',
    inFirst(() => null),
    leftOut('orders[]'),
  ),
  working.shown(
    'an order price between two ticks',
    'wrong type',
    inFirst(withField('price', (price) => Number(price) + 0.5)),
    at('price'),
  ),
  working.shown('an unknown field of an order', 'unknown', inEach(having({ stop_price: 5 })), at('stop_price')),
  faultsIn(['orders'], ['Order history, filtered']).shown(
    'a history that ignores its filter',
    'wrong row',
    inFirst(having({ symbol: 'PETHUIZ50' })),
    /1 row from the exchange failed validation and is left out/,
  ),
  history.shown(
    'an order of the future',
    'wrong row',
    inFirst(having({ time: '2099-01-01T00:00:00Z' })),
    /1 row from the exchange failed validation and is left out/,
  ),
  history.shown(
    'a change of the future',
    'wrong row',
    inFirst(having({ last_modified: '2099-01-01T00:00:00Z' })),
    /1 row from the exchange failed validation and is left out/,
  ),
  history.shown(
    'history in a list without an envelope',
    'malformed',
    inBody((body) => body['data']),
    /does not match the API/,
  ),
  history.shown(
    'history without pagination',
    'missing',
    inBody((body) => ({ ...body, pagination: undefined })),
    /does not match the API/,
  ),
  history.shown(
    'a cursor of history as a number',
    'wrong type',
    inBody((body) => ({ ...body, pagination: { cursor: 5 } })),
    /does not match the API/,
  ),
  history.shown(
    'a history of null',
    'malformed',
    inBody((body) => ({ ...body, data: null })),
    /does not match the API/,
  ),
  working.shown(
    'a working set that is not complete',
    'missing',
    inBody((body) => ({ ...body, complete: false })),
    /ncomplete/,
  ),
  working.shown(
    'no working orders',
    'missing',
    inList(() => []),
    /The parts report [\d,]+ orders, but 0 were received/,
  ),
  working.shownOn(
    'an order twice, with different data',
    'contradicting',
    inList(([first = {}, ...others]) => [
      first,
      { ...first, price: 2 * Number(first['price']), account_id: 'NORD-101' },
      ...others,
    ]),
    {
      'Working orders': /1 order was received with different data, and is not in the list.* 399 of 399 shown/,
    },
  ),
  both.shownOn(
    'an average price without fills',
    'contradicting',
    inFirst(having({ quantity_filled: 0, avg_price: 5 })),
    named('avg_price'),
  ),
  both.silent(
    'fills without an average price',
    'missing',
    inFirst(having({ time_in_force: 'GTC', quantity_requested: 5, quantity_filled: 2, avg_price: null })),
    'The interface says that the average price may lag behind the fills.',
  ),
  both.silent(
    'a bid filled above its limit',
    'contradicting',
    inFirst((row) => ({ ...filledBeyondLimit('GTC')(row), last_modified: later(SECOND)(row['time']) })),
    'The limit of an order that has changed since may have been modified after its fills.',
  ),
  history.shown(
    'a bid filled above its limit and never changed',
    'contradicting',
    inFirst((row) => ({ ...filledBeyondLimit('GTC')(row), last_modified: row['time'] })),
    /1 deviation from the API/,
  ),
  history.shown(
    'an immediate bid filled above its limit',
    'contradicting',
    inFirst(filledBeyondLimit('IOC')),
    /1 deviation from the API/,
  ),
  both.shownOn(
    'a change before the order',
    'contradicting',
    inFirst((row) => ({ ...row, last_modified: later(-30)(row['time']) })),
    named('last_modified'),
  ),
  working.shown(
    'a bid at many times the market',
    'wrong unit',
    inOwn((row) => (row['side'] === 'Bid' ? withField('price', times(5))(row) : row)),
    /orders? in doubt\)/,
  ),
  working.shown(
    'an ask at a thousandth of the market',
    'wrong unit',
    inOwn((row) => (row['side'] === 'Ask' ? withField('price', times(0.001))(row) : row)),
    /Price in doubt.* orders? in doubt\)/,
  ),
  working.shown(
    'an ask a fifth below a later trade',
    'wrong value',
    inOwn((row) =>
      row['side'] === 'Ask' ? { ...withField('price', times(0.8))(row), last_modified: row['time'] } : row,
    ),
    /Price in doubt.* orders? in doubt\)/,
  ),
  working.silent(
    'asks at five times the market',
    'wrong unit',
    inOwn((row) => (row['side'] === 'Ask' ? withField('price', times(5))(row) : row)),
    'An ask may rest at several times the market.',
  ),
  both.shown(
    'fills above all prices since the order was accepted',
    'wrong value',
    inEach((row) => ({ ...row, avg_price: typeof row['avg_price'] === 'number' ? row['avg_price'] * 3 : null })),
    /Avg price in doubt/,
  ),
  both.shown(
    'a quantity far beyond what the exchange accepts',
    'wrong value',
    inFirst(having({ quantity_requested: 1_000_000_000 })),
    /Quantity in doubt/,
  ),
  both.shownOn(
    'a working order for nothing',
    'contradicting',
    inFirst(having({ status: 'Working', quantity_requested: 0, quantity_filled: 0, avg_price: null })),
    named('quantity_requested'),
  ),
  working.shown(
    'a working order of a session that is over',
    'contradicting',
    inFirst((row) => ({ ...row, time_in_force: 'Day', time: later(-3)(row['time']) })),
    /Status in doubt.* \(1 order in doubt\)/,
  ),
  both.shown(
    'an order type that contradicts its product',
    'contradicting',
    inFirst((row) => ({ ...row, product_type: row['product_type'] === 'Option' ? 'Spread' : 'Option' })),
    /Product in doubt/,
  ),
  both.shown(
    'a symbol that is not that of the product id',
    'contradicting',
    inFirst((row) => ({ ...row, symbol: row['symbol'] === 'PETHUIZ50' ? 'PBTCUCZ50' : 'PETHUIZ50' })),
    /Product in doubt/,
  ),
  working.shown(
    'a working order that is immediate or cancel',
    'contradicting',
    inFirst(having({ time_in_force: 'IOC', avg_price: null, quantity_filled: 0 })),
    at('time_in_force'),
  ),
  working.shown(
    'the list of working orders twice',
    'wrong row',
    inList((rows) => [...rows, ...rows]),
    /400 orders received more than once/,
  ),
  working.shown(
    'an order id twice, once with a zero before it',
    'malformed',
    inList(([first = {}, ...others]) => [first, { ...first, id: `0${String(first['id'])}` }, ...others]),
    at('id'),
  ),
  both.shownOn(
    'an order time with an offset',
    'malformed',
    inFirst(withField('time', (time) => String(time).replace('Z', '+00:00'))),
    named('time'),
  ),
  both.shownOn('an account as a number', 'wrong type', inFirst(having({ account_id: 101 })), leftOut('account_id')),
  both.shownOn('an order of no account', 'missing', inFirst(having({ account_id: '' })), named('account_id')),
  both.shownOn(
    'a fraction of a contract',
    'wrong value',
    inFirst(having({ quantity_requested: 7.5 })),
    named('quantity_requested'),
  ),
  both.shownOn(
    'a filled quantity of null',
    'missing',
    inFirst(having({ quantity_filled: null })),
    leftOut('quantity_filled'),
  ),
  both.shown(
    'an average price below zero',
    'wrong value',
    inOwn((row) => ({
      ...row,
      ...{ quantity_filled: 1, quantity_requested: 9, avg_price: -5, time_in_force: 'GTC' },
      last_modified: later(SECOND)(row['time']),
    })),
    /in doubt/,
  ),
  faultsIn(['products'], ['Working orders']).shown(
    'working orders of products that have expired',
    'contradicting',
    inEach(having({ product_status: 'expired' })),
    /Status in doubt/,
  ),
  working.shown(
    'prices of orders in cents',
    'wrong unit',
    inEach((row) => (row['product_type'] === 'Future' ? withField('price', times(100))(row) : row)),
    /Price in doubt/,
  ),
  working.silent(
    'prices of spreads in cents',
    'wrong unit',
    inEach((row) => (row['product_type'] === 'Spread' ? withField('price', times(100))(row) : row)),
    'The price of a spread is a difference, which has no limits of its own.',
  ),
];
