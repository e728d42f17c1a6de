import {
  besideNewest,
  having,
  inBody,
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
  withoutZone,
} from './changes.ts';
import { RECORDED_AT } from '../recorded-at.ts';
import { at, type Change, faultsIn, type Fault, type Row, withheldInList } from './fault.ts';

const rates = faultsIn(['fundingRates', 'funding'], ['Markets', 'Funding, one perpetual']);
const latest = faultsIn(['fundingRates'], ['Markets']);
const settled = faultsIn(['funding'], ['Funding', 'Funding, one perpetual']);
const estimate = faultsIn(['fundingEstimated'], ['Funding, one perpetual']);

const HOURS = 1 / 24;
const intervalLater = (days: number) => withFields(['interval_start', 'interval_end'], later(days));
const faulty = /\d+ faults? in the exchange’s funding history/;
/** The usual rate, as a percentage. */
const IN_PERCENT = 0.01;
const otherRate = /Settled rate in doubt\. For the interval to .*, the exchange’s latest rates say .* and its history/;
const INTERVAL_MS = 8 * 3_600_000;
const NEWEST = new Date(Math.floor(RECORDED_AT / INTERVAL_MS) * INTERVAL_MS).toISOString();
const STOPPED = Math.floor(RECORDED_AT / INTERVAL_MS - 9) * INTERVAL_MS;

function inPerpetual(change: (perpetual: Row) => Row) {
  return inBody((body) => ({
    ...body,
    perpetuals: (body['perpetuals'] as readonly Row[]).map((perpetual) =>
      perpetual['base_symbol'] === 'BTCUC' ? change(perpetual) : perpetual,
    ),
  }));
}

function stop(perpetual: Row): Row {
  const prints = (perpetual['prints'] as readonly { readonly interval_end: string }[]).filter(
    ({ interval_end: end }) => Date.parse(end) <= STOPPED,
  );
  return { ...perpetual, prints, known_to: new Date(STOPPED).toISOString() };
}

/** A row of the table of gaps and faults. */
function listed(fault: string): Fault['shown'] {
  return { 'Funding': faulty, 'Funding, one perpetual': new RegExp(`Effect\\s+${fault}`) };
}

/** Adds a revision of one of the newest rates. */
function revise(index: number, is_withdrawn: boolean) {
  return inPerpetual((perpetual) => {
    const print = (perpetual['prints'] as readonly Row[])[index];
    const revision = {
      interval_end: print?.['interval_end'],
      is_withdrawn,
      before: { ...print, funding_rate: 0.000778 },
      noticed_at: NEWEST,
    };
    return { ...perpetual, revised: [revision] };
  });
}

const inStatus: Change = inBody((status) => ({
  ...status,
  funding: [
    {
      ...{ base_symbol: 'BTCUC', product_id: 5_614, prints: 90, reads: 1, last_read_at: NEWEST },
      revised: { interval_end: NEWEST, before: 0.000778 },
    },
  ],
}));

const withoutPrices: Fault['shown'] = {
  'Price': /Not available\..*Mark or index is wrong: the premium is/,
  'Funding, one perpetual': /Premium\s+n\/a/,
};

const notOfEightHours = /settled rate in doubt\. (?:It is|They are) not of 8 h between two funding times/;

const markOff: Fault['shown'] = {
  'Markets': withheldInList('index and mark in USD'),
  'Funding, one perpetual': /The mark at the last funding time is about [\d.]+ times what/,
};
const withoutPremium: Fault['shown'] = { 'Funding, one perpetual': /Premium\s+n\/a/ };

/** Rates that change after they have settled, and rates and prices that contradict each other. */
export const REVISED_RATE_FAULTS: readonly Fault[] = [
  faultsIn(['status'], []).shownOn(
    'another rate of the newest interval, according to the desk',
    'contradicting',
    inStatus,
    {
      Markets: /PBTCUCZ50: settled rate in doubt\. It is also published as \+0\.0778 %/,
      Price: /In doubt\. Last funding: also published as \+0\.0778 %/,
    },
  ),
  settled.shownOn('a newest rate that was revised', 'contradicting', revise(0, false), {
    'Funding': /BTCUC: last settled rate in doubt\. It is also published as \+0\.0778 %/,
    'Funding, one perpetual': /Settled rate in doubt\. It is also published as \+0\.0778 %/,
  }),
  settled.shownOn('an older rate that was revised', 'contradicting', revise(40, false), {
    'Funding': faulty,
    'Funding, one perpetual': /The rate is also published as \+0\.0778 %\. The last published counts/,
  }),
  settled.shownOn('a rate that is no longer published', 'missing', revise(40, true), listed('withdrawn')),
  settled.shownOn('a history whose start is not confirmed', 'missing', inPerpetual(having({ reaches_launch: false })), {
    'Funding, one perpetual': /nothing confirms that the perpetual was listed then/,
  }),
  latest.shown(
    'two latest rates of one interval',
    'contradicting',
    besideNewest(withField('funding_rate', times(3))),
    /PBTCUCZ50: settled rate in doubt\. It is also published as/,
  ),
  latest.shown(
    'latest rates of four hours',
    'wrong value',
    inEach(withField('interval_start', later(4 * HOURS))),
    notOfEightHours,
  ),
  latest.shown('latest rates an hour early', 'wrong value', inEach(intervalLater(-HOURS)), notOfEightHours),
  latest.shown(
    'a latest interval a nanosecond short',
    'wrong value',
    inOwn(
      withField('interval_end', (end) =>
        new Date(Date.parse(String(end)) - 1).toISOString().replace('999Z', '999999999Z'),
      ),
    ),
    notOfEightHours,
  ),
  faultsIn(['fundingEstimated'], []).shownOn(
    'predicted rates off schedule',
    'wrong value',
    inEach(intervalLater(-2 * HOURS)),
    {
      'Markets': /predicted rate in doubt\. They are not of 8 h between two funding times/,
      'Price': /In doubt\. Predicted rate: not of 8 h between two funding times/,
      'Funding': /predicted rate in doubt\. They are not of 8 h between two funding times/,
      'Funding, one perpetual': /In doubt\s+not of 8 h between two funding times/,
    },
  ),
  rates.shownOn('a mark 2 % off', 'wrong value', inNewest(withField('mark_price', times(1.02))), withoutPrices),
  rates.shownOn('an index 2 % off', 'wrong value', inNewest(withField('price_index', times(1.02))), withoutPrices),
  rates.silent(
    'marks and indices 2 % off',
    'wrong value',
    inOwn(withFields(['mark_price', 'price_index'], times(1.02))),
    'A price moves as much between two trades of a quiet perpetual, and nothing else that is published has the index.',
  ),
];

/** Funding rates: latest, settled and predicted. */
export const RATE_FAULTS: readonly Fault[] = [
  rates.shown(
    'a settled rate as a text',
    'wrong type',
    inNewest(withField('funding_rate', String)),
    at('funding_rate'),
  ),
  rates.shown(
    'an interval without its rate',
    'missing',
    inNewest(having({ funding_rate: undefined })),
    at('funding_rate'),
  ),
  settled.shown('a settled rate of null', 'missing', inNewest(having({ funding_rate: null })), at('funding_rate')),
  settled.shown(
    'settled rates under another name',
    'malformed',
    inOwn(renamed('funding_rate', 'fundingRate')),
    at('funding_rate'),
  ),
  settled.shown('a mark as a text', 'wrong type', inNewest(withField('mark_price', String)), at('mark_price')),
  settled.shown(
    'an index that JSON reads as infinite',
    'malformed',
    inNewest(having({ price_index: null })),
    at('price_index'),
  ),
  settled.shown(
    'an interval without its interest rate',
    'missing',
    inNewest(having({ interest_rate: undefined })),
    at('interest_rate'),
  ),
  settled.shown(
    'a product id of a rate as a text',
    'wrong type',
    inNewest(withField('product_id', String)),
    at('product_id'),
  ),
  settled.shown('an unknown field of a rate', 'unknown', inEach(having({ venue_note: 'x' })), at('venue_note')),
  settled.shown(
    'null among the settled rates',
    'malformed',
    inNewest(() => null),
    at('prints[]'),
  ),
  settled.shownOn(
    'an interval of four hours',
    'wrong value',
    inNewest(withField('interval_start', later(4 * HOURS))),
    listed('not 8 h'),
  ),
  settled.shownOn('an interval off schedule', 'wrong value', inNewest(intervalLater(-5 * HOURS)), { Funding: faulty }),
  settled.shownOn(
    'an interval that ends before it starts',
    'wrong value',
    inNewest(swapped('interval_start', 'interval_end')),
    { Funding: faulty },
  ),
  settled.shownOn(
    'settled rates whose times have no zone',
    'malformed',
    inOwn(withField('interval_end', withoutZone)),
    { 'Funding': faulty, 'Funding, one perpetual': /No valid settled rate in this range/ },
  ),
  settled.shown(
    'settled rates whose times are numbers',
    'wrong type',
    inOwn(withField('interval_end', (time) => Date.parse(String(time)))),
    at('interval_end'),
  ),
  settled.shownOn(
    'a hole of three intervals',
    'missing',
    without((index) => index >= 3 && index < 6),
    listed('gap'),
  ),
  settled.shownOn(
    'the same rate twice',
    'wrong row',
    besideNewest((row) => row),
    listed('duplicate'),
  ),
  settled.shownOn(
    'two rates of one interval that contradict each other',
    'contradicting',
    besideNewest(withField('funding_rate', times(3))),
    listed('conflicting duplicate'),
  ),
  settled.shownOn(
    'an interval that overlaps another',
    'contradicting',
    besideNewest(intervalLater(-4 * HOURS)),
    listed('overlap'),
  ),
  settled.shownOn('no settled rate of the last three days', 'late', inPerpetual(stop), {
    'Funding': /Overdue\. BTCUC: the newest settled rate is from .*; that of .* is missing/,
    'Funding, one perpetual': /Overdue\. The newest settled rate is from/,
  }),
  settled.shownOn(
    'no settled rates at all',
    'missing',
    without(() => true),
    { 'Funding, one perpetual': /No valid settled rate in this range/ },
  ),
  settled.shownOn('rows that the desk left out', 'wrong row', inPerpetual(having({ left_out: 2 })), {
    'Funding': /2 rows from the exchange failed validation and are left out/,
    'Funding, one perpetual': /2 rows from the exchange failed validation and are left out/,
  }),
  settled.shownOn(
    'newer rates that could not be read',
    'late',
    inPerpetual(having({ stale_because: 'The exchange did not answer.' })),
    {
      'Funding': /BTCUC: the latest settled rates could not be read/,
      'Funding, one perpetual': /Stale\. Latest settled rate: .* The exchange did not answer/,
    },
  ),
  settled.shownOn('a rate of next month', 'wrong row', besideNewest(intervalLater(30)), listed('gap')),
  latest.shown('a latest rate as null', 'missing', inNewest(having({ funding_rate: null })), at('funding_rate')),
  latest.shown(
    'latest rates under another name',
    'malformed',
    inOwn(renamed('funding_rate', 'fundingRate')),
    at('funding_rate'),
  ),
  latest.shown(
    'a latest rate of an interval that has not ended',
    'wrong row',
    inOwn(intervalLater(1)),
    at('interval_end'),
  ),
  latest.shown(
    'a latest rate of three days ago',
    'late',
    inOwn(intervalLater(-3)),
    /PBTCUCZ50: the newest settled rate is from .*; that of .* is missing/,
  ),
  latest.shown(
    'latest rates of three days ago',
    'late',
    inEach(intervalLater(-3)),
    /All \d+ perpetuals: the newest settled rate is from/,
  ),
  latest.shown(
    'latest rates as a list without an envelope',
    'malformed',
    inBody((body) => body['data']),
    /Funding rates not loaded\. The response does not match the API\. \$: expected object/,
  ),
  latest.shown(
    'latest rates without pagination',
    'missing',
    inBody((body) => ({ ...body, pagination: undefined })),
    /Funding rates not loaded\. .* \$\.pagination: expected object/,
  ),
  latest.shown(
    'a cursor as a number',
    'wrong type',
    inBody((body) => ({ ...body, pagination: { cursor: 5 } })),
    /Funding rates not loaded\. .* \$\.pagination\.cursor: expected string or null/,
  ),
  latest.shown(
    'a latest rate of a product that does not exist',
    'wrong row',
    inOwn(having({ product_id: 9_999 })),
    /Funding rates incomplete/,
  ),
  latest.shown(
    'no latest rate of one perpetual',
    'missing',
    without(() => true),
    /Funding rates incomplete/,
  ),
  latest.shown(
    'no latest rates at all',
    'missing',
    inList(() => []),
    /Funding rates incomplete/,
  ),
  faultsIn(['fundingEstimated'], ['Markets', 'Funding']).shown(
    'one predicted rate for all perpetuals',
    'wrong row',
    inBody(having({ funding_rate: 0.000_321 })),
    /more: predicted rate in doubt\. They are exactly the same/,
  ),
  estimate.shown(
    'a predicted rate as a text',
    'wrong type',
    inEach(withField('funding_rate', String)),
    /No predicted rate: .* \$\.funding_rate: expected number/,
  ),
  estimate.shown(
    'a predicted rate of null',
    'missing',
    inEach(having({ funding_rate: null })),
    /No predicted rate: .* \$\.funding_rate: expected number, found null/,
  ),
  estimate.shown(
    'a predicted rate under another name',
    'malformed',
    inEach(renamed('funding_rate', 'estimated_rate')),
    /No predicted rate: .* \$\.funding_rate: expected number, found nothing/,
  ),
  estimate.shown(
    'a predicted rate without its end',
    'missing',
    inEach(having({ interval_end: undefined })),
    /No predicted rate: .* \$\.interval_end: expected string/,
  ),
  estimate.shown(
    'a predicted rate in a list',
    'malformed',
    inBody((body) => [body]),
    /No predicted rate: .* \$: expected object/,
  ),
  estimate.shown(
    'a predicted rate of yesterday',
    'late',
    inEach(intervalLater(-1)),
    /Its interval has ended, and the next predicted rate has not arrived/,
  ),
  estimate.shown(
    'an unknown field of a predicted rate',
    'unknown',
    inEach(having({ confidence: 1 })),
    at('confidence'),
  ),
  estimate.shown(
    'a predicted rate for four hours',
    'wrong value',
    inEach(withField('interval_start', later(4 * HOURS))),
    /not 8 h/,
  ),
  estimate.shown('a predicted rate of tomorrow', 'wrong value', inEach(intervalLater(1)), /No countdown/),
  estimate.shown(
    'a predicted interval that ends before it starts',
    'wrong value',
    inEach(swapped('interval_start', 'interval_end')),
    /not 8 h/,
  ),
  faultsIn(['fundingEstimated'], []).shownOn(
    'a predicted rate in percent',
    'wrong unit',
    inEach(having({ funding_rate: IN_PERCENT })),
    {
      'Markets': /predicted rate in doubt/,
      'Funding': /\d+ more: predicted rate in doubt\. They are beyond ±0\.75 % per 8 h/,
      'Funding, one perpetual': /In doubt\s+beyond ±0\.75 % per 8 h/,
    },
  ),
  settled.shownOn(
    'settled rates in percent',
    'wrong unit',
    inOwn(withField('funding_rate', times(100))),
    listed('implausible rate'),
  ),
  settled.shownOn(
    'settled rates of one perpetual in percent, the newest too',
    'wrong unit',
    inPerpetual((perpetual) => ({
      ...perpetual,
      prints: (perpetual['prints'] as readonly Row[]).map(having({ funding_rate: IN_PERCENT })),
    })),
    {
      'Funding': /BTCUC: last settled rate in doubt\. It is beyond/,
      'Funding, one perpetual': /Settled rate in doubt\. It is beyond/,
    },
  ),
  latest.shownOn('a latest rate in percent', 'wrong unit', inOwn(having({ funding_rate: IN_PERCENT })), {
    'Markets': /PBTCUCZ50: settled rate in doubt\. It is beyond/,
    'Funding, one perpetual': otherRate,
  }),
  latest.shownOn('a latest rate with the other sign', 'contradicting', inOwn(withField('funding_rate', times(-1))), {
    'Funding, one perpetual': otherRate,
  }),
  rates.silent(
    'a settled rate with the other sign wherever it is published',
    'wrong value',
    inNewest(withField('funding_rate', times(-1))),
    'Longs may pay shorts or shorts longs, and nothing else that is published has the sign of a rate.',
  ),
  rates.shownOn(
    'marks and indices in USD',
    'wrong unit',
    inOwn(withFields(['mark_price', 'price_index'], times(5))),
    markOff,
  ),
  rates.shownOn('a mark in USD', 'wrong unit', inNewest(withField('mark_price', times(5))), markOff),
  settled.shownOn('a negative mark', 'wrong value', inNewest(withField('mark_price', times(-1))), withoutPremium),
  settled.shownOn('an index of zero', 'wrong value', inNewest(having({ price_index: 0 })), withoutPremium),
  settled.shownOn(
    'an interest rate in percent',
    'wrong unit',
    inOwn(withField('interest_rate', times(100))),
    listed('implausible interest rate'),
  ),
  latest.silent(
    'a latest interest rate in percent',
    'wrong unit',
    inOwn(withField('interest_rate', times(100))),
    'Markets neither shows it nor computes with it.',
  ),
];
