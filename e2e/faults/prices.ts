import { besideNewest, having, inEach, inFirst, inList, inNewest, later, renamed, swapped, times, withField, withFields, without, withoutZone } from './changes.ts';
import { at, faultsIn, type Fault, type Row } from './fault.ts';

const { told, untold } = faultsIn(['chartPrice'], ['Price']);
const PRICES = ['ohlc.open', 'ohlc.high', 'ohlc.low', 'ohlc.close', 'settlementPrice'];
const chartInDoubt = (times: string) => new RegExp(`The chart of .* shows about ${times} what product data and open interest agree on, so its prices are in doubt`);
const noSession = /No valid session received/;
const unreadable = (text: string) => inNewest(having({ settlementPrice: text }));

/** Daily prices of one product. */
export const PRICE_FAULTS: readonly Fault[] = [
  told('a day with slashes', 'malformed', inNewest(having({ date: '24/11/2026' })), at('date')),
  told('a day as a number', 'wrong type', inNewest(having({ date: 20_261_124 })), at('date')),
  told('a session without its day', 'missing', inNewest(having({ date: undefined })), at('date')),
  told('a day that no calendar has', 'malformed', inNewest(having({ date: '2026-02-30' })), at('date')),
  told('the day under a name in capitals', 'malformed', inEach(renamed('date', 'Date')), noSession),
  told('a session without its time', 'missing', inNewest(having({ time: undefined })), at('time')),
  told('a time of settlement in seconds since 1970', 'wrong type', inNewest(having({ time: 1_795_000_000 })), at('time')),
  told('an opening price that is a word', 'malformed', inNewest(withField('ohlc.open', () => 'abc')), at('open')),
  told('an empty settlement price', 'malformed', unreadable(''), at('settlementPrice')),
  told('a settlement price that is NaN', 'malformed', unreadable('NaN'), at('settlementPrice')),
  told('an infinite settlement price', 'malformed', unreadable('Infinity'), at('settlementPrice')),
  told('a settlement price in hexadecimal digits', 'malformed', unreadable('0x10'), at('settlementPrice')),
  told('a settlement price with a thousands separator', 'malformed', unreadable('116,680.00'), at('settlementPrice')),
  told('a settlement price with an exponent', 'malformed', unreadable('1e400'), at('settlementPrice')),
  told('a settlement price as a number', 'wrong type', inNewest(withField('settlementPrice', Number)), at('settlementPrice')),
  told('a settlement price of null', 'missing', inNewest(having({ settlementPrice: null })), at('settlementPrice')),
  told('settlement prices under another name', 'malformed', inEach(renamed('settlementPrice', 'settlement_price')), noSession),
  told('a session without its prices', 'missing', inNewest(having({ ohlc: null })), at('ohlc')),
  told('prices beside each session instead of in it', 'malformed', inEach(({ ohlc, ...row }) => ({ ...row, ...(ohlc as object) })), noSession),
  told('a negative volume of a candle', 'wrong value', inNewest(withField('ohlc.volume', () => -5)), at('volume')),
  told('half a contract in a candle', 'wrong type', inNewest(withField('ohlc.volume', () => 2.5)), at('volume')),
  told('the volume of a candle as a text', 'wrong type', inNewest(withField('ohlc.volume', String)), at('volume')),
  told('a candle without its volume', 'missing', inNewest(withField('ohlc.volume', () => undefined)), at('volume')),
  told('chart prices in cents', 'wrong unit', inEach(withFields(PRICES, times(100))), chartInDoubt('100 times')),
  told('chart prices in ticks', 'wrong unit', inEach(withFields(PRICES, times(1 / 5))), chartInDoubt('1/5 of')),
  told('a settlement price that is off by 5 %', 'contradicting', inNewest(withField('settlementPrice', times(1.05))), chartInDoubt('1.05 times')),
  told('a candle with twice the volume of its session', 'contradicting', inNewest(withField('ohlc.volume', times(2))), /Daily USD values of .* are about 1\/2 of contracts/),
  told('the same session twice', 'wrong row', besideNewest((row) => row), /1 row from the exchange failed validation and is hidden/),
  told('two sessions of one day that contradict each other', 'contradicting', besideNewest(withField('settlementPrice', times(1.01))), /2 rows from the exchange failed validation and are hidden/),
  told('a session from before the range', 'wrong row', inFirst(having({ date: '2001-01-01', time: '2001-01-01T22:00:00Z' })), at('time')),
  told('a session of next week', 'wrong row', besideNewest(withFields(['date', 'time'], later(7))), at('date')),
  told('each session a day early', 'wrong value', inEach(withFields(['date', 'time'], later(-1))), /1 session with trades at unknown prices/),
  told('each session a day late', 'wrong value', inEach(withFields(['date', 'time'], later(1))), /1 session with trades at unknown prices/),
  told('no session of the last two weeks', 'late', without((index, rows) => index >= rows - 14), /The newest settlement is from .*; one was due on/),
  told('a hole of five sessions', 'missing', without((index) => index >= 10 && index < 15), /5 sessions with trades at unknown prices/),
  told('no sessions at all', 'missing', inList(() => []), /No trades in this range/),
  told('a field of a session that the interface does not have', 'unknown', inEach(having({ vwap: '1.0' })), at('vwap')),
  told('null among the sessions', 'malformed', inNewest(() => null), at('$[]')),
  told('a list within the list of sessions', 'malformed', inNewest((row) => [row]), at('$[]')),
  untold('a time of settlement without a zone', 'malformed', inNewest(withField('time', withoutZone)), 'Times in another format are kept as they are: only days, prices and ids must be readable.'),
  told('a candle whose low and high are swapped', 'contradicting', inNewest(withField('ohlc', (ohlc) => swapped('low', 'high')(ohlc as Row))), /\d+ sessions? with trades at unknown prices/),
  told('a candle that closes below its low', 'contradicting', inNewest(withField('ohlc.close', () => '1.0000000000')), /\d+ sessions? with trades at unknown prices/),
  told('a negative settlement price', 'wrong value', inNewest(withField('settlementPrice', times(-1))), /the price of a perpetual cannot be negative/),
  untold('a settlement price of zero', 'wrong value', inNewest(having({ settlementPrice: '0.0000000000' })), 'A spread’s may be zero, and a zero proves nothing.'),
];
