import {
  besideNewest,
  having,
  inEach,
  inList,
  inNewest,
  inOwn,
  later,
  renamed,
  swapped,
  times,
  withField,
  withFields,
  without,
} from './changes.ts';
import { at, faultsIn, type Fault } from './fault.ts';

const { shown, shownOn, silent } = faultsIn(['chartVoi'], ['Volume / OI', 'Price']);
const values = ['notionalVolume', 'notionalOpenInterest'];
const toDollars = withFields(values, (cents) => (typeof cents === 'number' ? Math.round(cents / 100) : cents));

/** USD values that the cross-checks withhold. */
function offBy(factor: string): Fault['shown'] {
  const pattern = (before: string) =>
    new RegExp(
      `${before} .*Daily (?:USD values|volume) of .* about ${factor} (?:contracts × contract size × price|that of)`,
    );
  return {
    'Markets': pattern('PBTCUCZ50: USD open interest withheld\\.'),
    'Price': pattern('Not available\\.'),
    'Volume / OI': pattern('PBTCUCZ50: USD values withheld\\.'),
  };
}

function leftOut(rows: string): Fault['shown'] {
  return {
    'Markets': new RegExp(`Open interest and settlements: ${rows} left out`),
    'Volume / OI': new RegExp(`${rows} from the exchange failed validation and`),
  };
}

/** Daily volume and open interest. */
export const VOLUME_FAULTS: readonly Fault[] = [
  shown('a negative daily volume', 'wrong value', inNewest(having({ volume: -2_500 })), at('volume')),
  shown('a negative open interest', 'wrong value', inNewest(having({ openInterest: -1 })), at('openInterest')),
  shown('half a contract in a day', 'wrong type', inNewest(having({ volume: 2.5 })), at('volume')),
  shown('cents with a fraction', 'wrong type', inNewest(having({ notionalVolume: 12_345.67 })), at('notionalVolume')),
  shownOn('daily volume as a text', 'wrong type', inNewest(withField('volume', String)), leftOut('1 row')),
  shownOn('open interest as a text', 'wrong type', inNewest(withField('openInterest', String)), leftOut('1 row')),
  shown('a day without its volume', 'missing', inNewest(having({ volume: undefined })), at('volume')),
  shown(
    'open interest under another name',
    'malformed',
    inEach(renamed('openInterest', 'open_interest')),
    at('openInterest'),
  ),
  shown('a day without its base symbol', 'missing', inNewest(having({ baseSymbol: undefined })), at('baseSymbol')),
  shown('a base symbol as a number', 'wrong type', inNewest(having({ baseSymbol: 5 })), at('baseSymbol')),
  shown(
    'half of a Unicode character as a base symbol',
    'malformed',
    inNewest(having({ baseSymbol: '\ud800' })),
    at('baseSymbol'),
  ),
  shown('a product id of a day as a text', 'wrong type', inNewest(withField('productId', String)), at('productId')),
  shown('a product id of zero', 'malformed', inNewest(having({ productId: 0 })), at('productId')),
  shown('a day of another product', 'wrong row', inNewest(having({ productId: 9_999 })), at('productId')),
  shown('all days of another product', 'wrong row', inOwn(having({ productId: 9_999 })), at('productId')),
  shown('a day of null', 'malformed', inNewest(having({ date: null })), at('date')),
  shown(
    'a day with a time',
    'malformed',
    inNewest(withField('date', (date) => `${String(date)}T00:00:00Z`)),
    at('date'),
  ),
  shown('a day of next week', 'wrong row', besideNewest(withField('date', later(7))), at('date')),
  shownOn(
    'the same day twice',
    'wrong row',
    besideNewest((row) => row),
    leftOut('1 row'),
  ),
  shownOn(
    'two rows of one day that contradict each other',
    'contradicting',
    besideNewest(having({ openInterest: 1 })),
    leftOut('2 rows'),
  ),
  shownOn('daily values in dollars', 'wrong unit', inEach(toDollars), {
    ...offBy('1/100 of'),
    'Markets': /and \d+ more: USD open interest withheld\./,
    'Volume / OI, total': /PBTCUCZ50, PETHUIZ50: USD values withheld\. PBTCUCZ50, for example: Daily/,
  }),
  shownOn('daily values of one product in dollars', 'wrong unit', inOwn(toDollars), offBy('1/100 of')),
  shownOn(
    'ten times the value of open interest',
    'wrong value',
    inOwn(withField('notionalOpenInterest', times(10))),
    offBy('10 times'),
  ),
  shownOn(
    'ten times the value of the volume',
    'wrong value',
    inOwn(withField('notionalVolume', times(10))),
    offBy('10 times'),
  ),
  shownOn('twice the open interest', 'wrong value', inOwn(withField('openInterest', times(2))), offBy('0.5 times')),
  shownOn('twice the volume', 'wrong value', inOwn(withField('volume', times(2))), offBy('2 times')),
  shownOn(
    'contracts and cents swapped',
    'contradicting',
    inOwn(swapped('volume', 'notionalVolume')),
    offBy('[\\d,]+ times'),
  ),
  shownOn('each day a day early', 'wrong value', inEach(withField('date', later(-1))), {
    Markets: /and \d+ more: USD open interest withheld\./,
    Price: /1 session with trades at unknown prices/,
  }),
  shown(
    'no open interest of the last two weeks',
    'late',
    without((index, rows) => index >= rows - 14),
    /Overdue\. The newest open interest is from .*; that of .* is missing/,
  ),
  shown('an unknown field of a day', 'unknown', inEach(having({ blockVolume: 1 })), at('blockVolume')),
  shown(
    'null among the days',
    'malformed',
    inNewest(() => null),
    at('$[]'),
  ),
  shownOn(
    'no days at all',
    'missing',
    inList(() => []),
    { 'Volume / OI': /No session settled in this range/ },
  ),
  shownOn(
    'open interest that was never published',
    'late',
    inOwn(having({ openInterest: null, notionalOpenInterest: null })),
    { 'Volume / OI': /Open interest: daily, published the next morning, Chicago time; none yet/ },
  ),
  silent(
    'another base symbol',
    'contradicting',
    inOwn(having({ baseSymbol: 'ETHUI' })),
    'An exchange may name the base otherwise here than in specifications, so the two are not compared; ' +
      'names come from these, by product id.',
  ),
  shownOn('a negative value of open interest', 'wrong value', inOwn(withField('notionalOpenInterest', times(-1))), {
    'Price': /Daily USD values of .* are negative/,
    'Volume / OI': /USD values withheld\. Daily USD values of .* are negative/,
  }),
];
