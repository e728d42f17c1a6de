import {
  besideNewest,
  having,
  inEach,
  inFirst,
  inList,
  inNewest,
  inSession,
  later,
  renamed,
  swapped,
  times,
  withField,
  withFields,
  without,
  withoutZone,
} from './changes.ts';
import { at, faultsIn, type Fault, type Row } from './fault.ts';

const { shown } = faultsIn(['chartPrice'], ['Price']);
const PRICES = ['ohlc.open', 'ohlc.high', 'ohlc.low', 'ohlc.close', 'settlementPrice'];
const chartInDoubt = (times: string) =>
  new RegExp(
    `The chart’s settlement of .* is about ${times} what the exchange’s other figures imply, so the chart’s prices are`,
  );
const otherCandle = /The chart and the daily volume or open interest of \d+ \w+ 2026 contradict each other/;
const noSession = /No valid session received/;
const unreadable = (text: string) => inNewest(having({ settlementPrice: text }));

/** Daily prices of one product. */
export const PRICE_FAULTS: readonly Fault[] = [
  shown('a day with slashes', 'malformed', inNewest(having({ date: '24/11/2026' })), at('date')),
  shown('a day as a number', 'wrong type', inNewest(having({ date: 20_261_124 })), at('date')),
  shown('a session without its day', 'missing', inNewest(having({ date: undefined })), at('date')),
  shown('a day that no calendar has', 'malformed', inNewest(having({ date: '2026-02-30' })), at('date')),
  shown('the day under a name in capitals', 'malformed', inEach(renamed('date', 'Date')), noSession),
  shown('a session without its time', 'missing', inNewest(having({ time: undefined })), at('time')),
  shown(
    'a time of settlement in seconds since 1970',
    'wrong type',
    inNewest(having({ time: 1_795_000_000 })),
    at('time'),
  ),
  shown('an opening price that is a word', 'malformed', inNewest(withField('ohlc.open', () => 'abc')), at('open')),
  shown('an empty settlement price', 'malformed', unreadable(''), at('settlementPrice')),
  shown('a settlement price that is NaN', 'malformed', unreadable('NaN'), at('settlementPrice')),
  shown('an infinite settlement price', 'malformed', unreadable('Infinity'), at('settlementPrice')),
  shown('a settlement price in hexadecimal digits', 'malformed', unreadable('0x10'), at('settlementPrice')),
  shown('a settlement price with a thousands separator', 'malformed', unreadable('116,680.00'), at('settlementPrice')),
  shown('a settlement price with an exponent', 'malformed', unreadable('1e400'), at('settlementPrice')),
  shown(
    'a settlement price as a number',
    'wrong type',
    inNewest(withField('settlementPrice', Number)),
    at('settlementPrice'),
  ),
  shown('a settlement price of null', 'missing', inNewest(having({ settlementPrice: null })), at('settlementPrice')),
  shown(
    'settlement prices under another name',
    'malformed',
    inEach(renamed('settlementPrice', 'settlement_price')),
    noSession,
  ),
  shown('a session without its prices', 'missing', inNewest(having({ ohlc: null })), at('ohlc')),
  shown(
    'prices beside each session instead of in it',
    'malformed',
    inEach(({ ohlc, ...row }) => ({ ...row, ...(ohlc as object) })),
    noSession,
  ),
  shown('a negative volume of a candle', 'wrong value', inNewest(withField('ohlc.volume', () => -5)), at('volume')),
  shown('half a contract in a candle', 'wrong type', inNewest(withField('ohlc.volume', () => 2.5)), at('volume')),
  shown('the volume of a candle as a text', 'wrong type', inNewest(withField('ohlc.volume', String)), at('volume')),
  shown('a candle without its volume', 'missing', inNewest(withField('ohlc.volume', () => undefined)), at('volume')),
  shown('chart prices in cents', 'wrong unit', inEach(withFields(PRICES, times(100))), chartInDoubt('100 times')),
  shown('chart prices in ticks', 'wrong unit', inEach(withFields(PRICES, times(1 / 5))), chartInDoubt('0.2 times')),
  shown(
    'a settlement price that is off by 5 %',
    'contradicting',
    inNewest(withField('settlementPrice', times(1.05))),
    chartInDoubt('1.05 times'),
  ),
  shown(
    'a candle with twice the volume of its session',
    'contradicting',
    inNewest(withField('ohlc.volume', times(2))),
    /The chart’s volume of .* is about 2 times what the exchange’s other figures imply/,
  ),
  shown(
    'a settlement of a month ago that is off by 5 %',
    'contradicting',
    inSession(-30, withField('settlementPrice', times(1.05))),
    otherCandle,
  ),
  shown(
    'a candle of a month ago with twice the volume of its session',
    'contradicting',
    inSession(-30, withField('ohlc.volume', times(2))),
    otherCandle,
  ),
  shown(
    'the same session twice',
    'wrong row',
    besideNewest((row) => row),
    /1 row from the exchange failed validation and is left out/,
  ),
  shown(
    'two sessions of one day that contradict each other',
    'contradicting',
    besideNewest(withField('settlementPrice', times(1.01))),
    /2 rows from the exchange failed validation and are left out/,
  ),
  shown(
    'a session from before the range',
    'wrong row',
    inFirst(having({ date: '2001-01-01', time: '2001-01-01T22:00:00Z' })),
    at('time'),
  ),
  shown('a session of next week', 'wrong row', besideNewest(withFields(['date', 'time'], later(7))), at('date')),
  shown(
    'each session a day early',
    'wrong value',
    inEach(withFields(['date', 'time'], later(-1))),
    /(?<!\d)1\d\d sessions with trades at unknown prices/,
  ),
  shown(
    'each session a day late',
    'wrong value',
    inEach(withFields(['date', 'time'], later(1))),
    /(?<!\d)1\d\d sessions with trades at unknown prices/,
  ),
  shown(
    'no session of the last two weeks',
    'late',
    without((index, rows) => index >= rows - 14),
    /The newest settlement is from .*; that of .* is missing/,
  ),
  shown(
    'a hole of five sessions',
    'missing',
    without((index) => index >= 10 && index < 15),
    /(?<!\d)5 sessions with trades at unknown prices/,
  ),
  shown(
    'no sessions at all',
    'missing',
    inList(() => []),
    /No trades in this range|\d+ sessions with trades at unknown prices/,
  ),
  shown(
    'a field of a session that the interface does not have',
    'unknown',
    inEach(having({ vwap: '1.0' })),
    at('vwap'),
  ),
  shown(
    'null among the sessions',
    'malformed',
    inNewest(() => null),
    at('$[]'),
  ),
  shown(
    'a list within the list of sessions',
    'malformed',
    inNewest((row) => [row]),
    at('$[]'),
  ),
  shown('a time of settlement without a zone', 'malformed', inNewest(withField('time', withoutZone)), at('time')),
  shown(
    'a candle whose low and high are swapped',
    'contradicting',
    inNewest(withField('ohlc', (ohlc) => swapped('low', 'high')(ohlc as Row))),
    /(?<!\d)1 session with trades at unknown prices/,
  ),
  shown(
    'a candle that closes below its low',
    'contradicting',
    inNewest(withField('ohlc.close', () => '1.0000000000')),
    /(?<!\d)1 session with trades at unknown prices/,
  ),
  shown(
    'a negative settlement price',
    'wrong value',
    inNewest(withField('settlementPrice', times(-1))),
    /the price of a perpetual cannot be negative/,
  ),
  shown(
    'a settlement price of zero',
    'wrong value',
    inNewest(having({ settlementPrice: '0.0000000000' })),
    /the price of a perpetual cannot be zero/,
  ),
];
