import {
  besideNewest,
  having,
  inEach,
  inList,
  inNewest,
  inOwn,
  inSession,
  later,
  renamed,
  swapped,
  times,
  withField,
  withFields,
  without,
} from './changes.ts';
import { at, faultsIn, withheldInList, type Fault } from './fault.ts';

const { shown, shownOn, silent } = faultsIn(['chartVoi'], ['Volume / OI', 'Price']);
const values = ['notionalVolume', 'notionalOpenInterest'];
const toDollars = withFields(values, (cents) => (typeof cents === 'number' ? Math.round(cents / 100) : cents));

/** Figures that the cross-checks withhold. */
function withheld(figures: string, reason: string): RegExp {
  return new RegExp(`PBTCUCZ50: ${figures} withheld\\. .*${reason}`);
}

const impossible = /Open interest of \d+ \w+ 2026 is in doubt/;
const interestOff = (times: string) => `The USD value of open interest of .* is about ${times} what`;

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
    'Markets': withheldInList('USD open interest', interestOff('1/100 of')),
    'Price': new RegExp(`Not available\\. .*${interestOff('1/100 of')}`),
    'Volume / OI': withheld('USD values', interestOff('1/100 of')),
    'Volume / OI, total': /PBTCUCZ50, PETHUIZ50: USD values withheld\. PBTCUCZ50, for example: The USD value/,
  }),
  shownOn('daily values of one product in dollars', 'wrong unit', inOwn(toDollars), {
    'Markets': withheldInList('USD open interest', interestOff('1/100 of')),
    'Price': new RegExp(`Not available\\. .*${interestOff('1/100 of')}`),
    'Volume / OI': withheld('USD values', interestOff('1/100 of')),
  }),
  shownOn('ten times the value of open interest', 'wrong value', inOwn(withField('notionalOpenInterest', times(10))), {
    'Markets': withheldInList('USD open interest', interestOff('10 times')),
    'Price': new RegExp(`Not available\\. .*${interestOff('10 times')}`),
    'Volume / OI': withheld('open interest in USD', interestOff('10 times')),
  }),
  shownOn('ten times the value of the volume', 'wrong value', inOwn(withField('notionalVolume', times(10))), {
    'Volume / OI': withheld('volume in USD', 'The USD value of daily volume of .* is about 10 times what'),
  }),
  shownOn('twice the open interest', 'wrong value', inOwn(withField('openInterest', times(2))), {
    'Markets': withheldInList('.*open interest', '.* contradict each other by a factor of 2\\.'),
    'Volume / OI': /PBTCUCZ50: .*open interest in contracts.* withheld\. .* contradict each other by a factor of 2\./,
  }),
  shownOn('twice the volume', 'wrong value', inOwn(withField('volume', times(2))), {
    'Volume / OI': withheld('volume in contracts', 'The daily volume of .* is about 2 times what'),
  }),
  shownOn('contracts and cents swapped', 'contradicting', inOwn(swapped('volume', 'notionalVolume')), {
    'Volume / OI': withheld('volume in contracts, volume in USD', 'The daily volume of'),
  }),
  shownOn('each day a day early', 'wrong value', inEach(withField('date', later(-1))), {
    Markets: withheldInList('.*'),
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
  ...[0, 10].map((factor) =>
    shownOn(
      `${String(factor)} times the open interest of one day, in contracts and in USD`,
      'wrong value',
      inSession(-5, withFields(['openInterest', 'notionalOpenInterest'], times(factor))),
      { 'Volume / OI': impossible, 'Price': impossible },
    ),
  ),
  shownOn(
    'no row of one session',
    'missing',
    without((index, rows) => index === rows - 5),
    {
      'Volume / OI': /No volume or open interest published for \d+ \w+ 2026\./,
      'Price': /No volume or open interest published for \d+ \w+ 2026\./,
    },
  ),
  shownOn('open interest in thousands of contracts', 'wrong unit', inOwn(withField('openInterest', times(0.001))), {
    'Volume / OI': /PBTCUCZ50: .*open interest in contracts.* withheld\./,
  }),
  shownOn('daily volume without its value in USD', 'wrong value', inOwn(having({ notionalVolume: 0 })), {
    'Volume / OI': withheld('volume in USD', 'The USD value of daily volume of'),
  }),
  silent(
    'another base symbol',
    'contradicting',
    inOwn(having({ baseSymbol: 'ETHUI' })),
    'An exchange may name the base otherwise here than in specifications, so the two are not compared; ' +
      'names come from these, by product id.',
  ),
  shownOn('a negative value of open interest', 'wrong value', inOwn(withField('notionalOpenInterest', times(-1))), {
    'Price': /The USD value of open interest of .* is negative/,
    'Volume / OI': /open interest in USD withheld\. The USD value of open interest of .* is negative/,
  }),
];
