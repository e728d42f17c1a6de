import {
  besideNewest,
  having,
  inEach,
  inOwn,
  later,
  renamed,
  swapped,
  times,
  withField,
  withFields,
  without,
} from './changes.ts';
import { at, faultsIn, missing, withheldInList, type Fault, type Evidence } from './fault.ts';

const data = faultsIn(['productData'], ['Markets', 'Price']);
const trailing = faultsIn(['trailingStats'], ['Markets', 'Price']);
const PRICES = [
  'last_price',
  'settlement_price',
  'open_price',
  'high_price',
  'low_price',
  'close_price',
  'price_change',
];

/** A list shows the deviation; one object without a valid field is not loaded. */
function inListAndAlone(field: string, figure: string): Readonly<Record<'Markets' | 'Price', Evidence>> {
  return {
    Markets: at(field),
    Price: new RegExp(`Not loaded\\. ${figure}: The response does not match the API\\. \\$\\.${field}: expected`),
  };
}

function valueOff(times: string): Fault['shown'] {
  const reason = `The USD value of the 24 h volume is about ${times} what the exchange’s other figures imply`;
  return {
    Markets: withheldInList('24 h volume in USD', reason),
    Price: new RegExp(`Not available\\. .*${reason}`),
  };
}

/** Trading data of the session, and trailing statistics. */
export const TRADING_FAULTS: readonly Fault[] = [
  data.shownOn(
    'a last price as a text',
    'wrong type',
    inOwn(withField('last_price', String)),
    inListAndAlone('last_price', 'Last'),
  ),
  data.shownOn(
    'trading data without a last price',
    'missing',
    inOwn(having({ last_price: undefined })),
    inListAndAlone('last_price', 'Last'),
  ),
  data.shownOn(
    'last prices under another name',
    'malformed',
    inEach(renamed('last_price', 'lastPrice')),
    inListAndAlone('last_price', 'Last'),
  ),
  data.shownOn(
    'a last price of tomorrow',
    'wrong row',
    inOwn(having({ last_price_time: '2099-01-01T00:00:00Z' })),
    inListAndAlone('last_price_time', 'Last'),
  ),
  data.shown(
    'a last price between two ticks',
    'wrong type',
    inOwn(withField('last_price', (price) => Number(price) + 0.5)),
    at('last_price'),
  ),
  data.shownOn('trading data in USD instead of ticks', 'wrong unit', inOwn(withFields(PRICES, times(5))), {
    Markets: withheldInList('USD prices', 'The settlement in the product data of .* is about 5 times what'),
    Price: /The settlement in the product data of .* is about 5 times what/,
  }),
  data.shownOn(
    'a settlement in ticks that is off by 5 %',
    'contradicting',
    inOwn(withField('settlement_price', times(1.05))),
    {
      Markets: withheldInList('USD prices', 'The settlement in the product data of .* is about 1\\.05 times what'),
      Price: /Not available\. .*Last.* 1\.05 /,
    },
  ),
  data.shownOn(
    'all prices since the settlement ten times as high',
    'wrong unit',
    inOwn(withFields(['last_price', 'open_price', 'high_price', 'low_price', 'close_price'], times(10))),
    { Markets: withheldInList('.*', '.*price range in the product data'), Price: /price range in the product data/ },
  ),
  data.shownOn(
    'ten times the volume of the session in progress, in contracts and in USD',
    'wrong value',
    inOwn((row) => (row['last_price_time'] === null ? row : withFields(['volume', 'notional_volume'], times(10))(row))),
    {
      Markets: withheldInList('24 h volume, 24 h volume in USD', '.*volume in the product data.* contradict'),
      Price: /Not available\. .*24 h volume.* contradict each other/,
    },
  ),
  data.shownOn(
    'trading data of two weeks ago',
    'late',
    inOwn(withFields(['last_price_time', 'settlement_time'], later(-14))),
    {
      Markets: /PBTCUCZ50: the newest settlement is from .*; that of .* is missing/,
      Price: /The newest settlement in the product data is from/,
    },
  ),
  data.shownOn('another volume than the daily one', 'contradicting', inOwn(withField('volume', times(3))), {
    Price: /The volume in the product data of .* is about 3 times what/,
  }),
  data.shownOn('trading data of another product', 'wrong row', inOwn(having({ product_id: 9_999 })), {
    Price: /Not loaded\. Last: .* \$\.product_id: expected/,
  }),
  data.shownOn(
    'trading data twice',
    'wrong row',
    besideNewest((row) => row),
    { Markets: at('product_id') },
  ),
  data.shownOn(
    'trading data that contradict each other',
    'contradicting',
    besideNewest(withField('last_price', times(2))),
    { Markets: at('product_id') },
  ),
  data.shown('an unknown field of trading data', 'unknown', inEach(having({ vwap: 5 })), at('vwap')),
  data.shown('a last price a hundred times as high', 'wrong unit', inOwn(withField('last_price', times(100))), /n\/a/),
  data.shown('a negative last price', 'wrong value', inOwn(withField('last_price', times(-1))), /n\/a/),
  data.shown('low and high of the session swapped', 'contradicting', inOwn(swapped('low_price', 'high_price')), /n\/a/),
  data.shown('a change that is not that of the prices', 'contradicting', inOwn(having({ price_change: 7 })), /n\/a/),
  data.shown('a last price without its time', 'missing', inOwn(having({ last_price_time: null })), /n\/a/),
  data.shown(
    'a settlement without its time',
    'missing',
    inOwn(having({ settlement_time: null })),
    at('settlement_price'),
  ),
  data.shownOn(
    'no trading data of one product',
    'missing',
    without(() => true),
    { Markets: missing('last', /The exchange’s product data have no row for this product/) },
  ),
  trailing.shown('a negative 24 h volume', 'wrong value', inOwn(having({ volume: -5 })), at('volume')),
  trailing.shown('half a contract in 24 h', 'wrong type', inOwn(having({ volume: 2.5 })), at('volume')),
  trailing.shownOn(
    'a 24 h volume as a text',
    'wrong type',
    inOwn(withField('volume', String)),
    inListAndAlone('volume', '24 h volume'),
  ),
  trailing.shownOn(
    'statistics without a volume',
    'missing',
    inOwn(having({ volume: undefined })),
    inListAndAlone('volume', '24 h volume'),
  ),
  trailing.shownOn(
    '24 h values under another name',
    'malformed',
    inEach(renamed('notionalVolume', 'notional_volume')),
    inListAndAlone('notionalVolume', '24 h volume'),
  ),
  trailing.shownOn(
    'a product id of statistics as a text',
    'wrong type',
    inOwn(withField('productId', String)),
    inListAndAlone('productId', '24 h volume'),
  ),
  trailing.shownOn(
    'a 24 h value in cents',
    'wrong unit',
    inOwn(withField('notionalVolume', times(100))),
    valueOff('100 times'),
  ),
  trailing.shownOn(
    'a 24 h value three times as large',
    'wrong value',
    inOwn(withField('notionalVolume', times(3))),
    valueOff('[23]\\.?\\d* times'),
  ),
  trailing.shownOn('24 h contracts and USD swapped', 'contradicting', inOwn(swapped('volume', 'notionalVolume')), {
    Markets: withheldInList('.*24 h volume.*'),
    Price: /Not available\. 24 h volume: /,
  }),
  trailing.shownOn('statistics of another product', 'wrong row', inOwn(having({ productId: 9_999 })), {
    Price: /Not loaded\. 24 h volume: .* \$\.productId: expected/,
  }),
  trailing.shownOn(
    'statistics twice',
    'wrong row',
    besideNewest((row) => row),
    { Markets: at('productId') },
  ),
  trailing.shownOn('statistics that contradict each other', 'contradicting', besideNewest(having({ volume: 1 })), {
    Markets: at('productId'),
  }),
  trailing.shown('an unknown field of statistics', 'unknown', inEach(having({ trades: 5 })), at('trades')),
  trailing.shownOn('a negative 24 h value', 'wrong value', inOwn(withField('notionalVolume', times(-1))), {
    Markets: withheldInList('.*', '.*The USD value of the 24 h volume is negative'),
    Price: /The USD value of the 24 h volume is negative/,
  }),
  trailing.shownOn(
    'a 24 h value of zero',
    'wrong value',
    inOwn(having({ notionalVolume: 0 })),
    valueOff('1/[\\d,]+ of'),
  ),
  trailing.shownOn(
    'a negative 24 h volume with a negative value',
    'wrong value',
    inOwn(having({ volume: -5, notionalVolume: -500 })),
    {
      Markets: withheldInList('.*', '.*The USD value of the 24 h volume is negative'),
      Price: /The USD value of the 24 h volume is negative/,
    },
  ),
  trailing.shown(
    '24 h contracts without their value',
    'missing',
    inOwn(having({ notionalVolume: null })),
    at('notionalVolume'),
  ),
  trailing.shown(
    'a 24 h value without its contracts',
    'missing',
    inOwn(having({ volume: null })),
    at('notionalVolume'),
  ),
  trailing.shownOn(
    'statistics of null although there were trades',
    'missing',
    inOwn(having({ volume: null, notionalVolume: null })),
    { Markets: missing('volume', /Raw value\s*null/) },
  ),
  trailing.shownOn(
    'no statistics of one product',
    'missing',
    without(() => true),
    { Markets: missing('volume', /The exchange’s trailing statistics have no row for this product/) },
  ),
];
