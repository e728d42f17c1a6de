import {
  changeRows,
  type Defect,
  every,
  first,
  json,
  ofCandle,
  plus,
  scalePrice,
  set,
  status,
  times,
} from './tampering.ts';
import { ENDPOINT_NAMES } from '#contract/exchange/endpoints.ts';
import { MARKET_TAMPERINGS } from './market-tamperings.ts';
import { ORDER_TAMPERINGS } from './order-tamperings.ts';

const SESSION_PRICE_TAMPERINGS: readonly Defect[] = [
  {
    title: 'settlement prices are 20 % too high',
    detectedBy: ['a settlement price is'],
    ...changeRows('chartPrice', every(scalePrice('settlementPrice', 1.2))),
  },
  {
    title: 'marks are 20 % too high',
    detectedBy: ['a funding mark, in USD'],
    ...changeRows('fundingRates', every(times('mark_price', 1.2))),
  },
  {
    title: 'the low of a day is half of what it is',
    detectedBy: ['no price of a session is far'],
    ...changeRows('chartPrice', first(ofCandle(scalePrice('low', 0.5)))),
  },
  {
    title: 'trailing notional is 20 % too large',
    detectedBy: ['the mean price of the last 24 hours'],
    ...changeRows('trailingStats', every(times('notionalVolume', 1.2))),
  },
  {
    title: 'notional open interest is two cents too large',
    detectedBy: ['notional open interest is the settlement price'],
    ...changeRows('chartVoi', every(plus('notionalOpenInterest', 2))),
  },
];

const shapes: readonly Defect[] = ENDPOINT_NAMES.map((name) => ({
  title: `an extra field in ${name}`,
  // The name of the endpoint, not a title: titles begin with the path, and one path may be the beginning of another.
  detectedBy: [name],
  ...changeRows(name, first(set({ surprise: 1 }))),
}));

const protocol: readonly Defect[] = [
  {
    title: 'HEAD has another content type',
    detectedBy: ['HEAD responds'],
    changeResponse: (response, { method }) => (method === 'HEAD' ? { ...response, type: 'text/plain' } : response),
  },
  {
    title: 'every signature is accepted',
    detectedBy: [
      'without BTNL',
      'a timestamp in another format',
      'a signature',
      'an unknown connection',
      'a query other',
      'a timestamp one minute',
    ],
    changeQuery: ({ query }) => query,
  },
  {
    title: 'no signature is accepted',
    detectedBy: ['a valid signature'],
    ...status('orders', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    title: 'a public endpoint requires a signature',
    detectedBy: ['public endpoints'],
    ...status('fundingRates', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    title: 'nothing is refused',
    detectedBy: ['refusals'],
    changeResponse: (response) => (response.status >= 400 ? json('[]') : response),
  },
];

export const TAMPERINGS: readonly Defect[] = [
  ...MARKET_TAMPERINGS,
  ...SESSION_PRICE_TAMPERINGS,
  ...ORDER_TAMPERINGS,
  ...shapes,
  ...protocol,
];
