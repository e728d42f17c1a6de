import { ENDPOINT_NAMES } from '#contract/exchange/endpoints.ts';
import { MARKET_TAMPERINGS } from './market-tamperings.ts';
import { ORDER_TAMPERINGS } from './order-tamperings.ts';
import { SESSION_PRICE_TAMPERINGS } from './session-price-tamperings.ts';
import { first, json, changeRows, set, status, type Defect } from './tampering.ts';

const shapes: readonly Defect[] = ENDPOINT_NAMES.map((name) => ({
  title: `an extra field in ${name}`,
  // An endpoint, not a title: titles begin with the path, which may be the beginning of another one.
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
