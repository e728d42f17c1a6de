import { ENDPOINT_NAMES } from '#contract/endpoints.ts';
import { MARKET_TAMPERINGS } from './market-tamperings.ts';
import { ORDER_TAMPERINGS } from './order-tamperings.ts';
import { first, json, changeRows, set, status, type Defect } from './tampering.ts';

const shapes: readonly Defect[] = ENDPOINT_NAMES.map((name) => ({
  title: `a field more in ${name}`,
  // A title begins with the path; that of another endpoint may begin with it too, but reads another answer.
  detectedBy: [name],
  ...changeRows(name, first(set({ surprise: 1 }))),
}));

const doors: readonly Defect[] = [
  {
    title: 'HEAD is of another type',
    detectedBy: ['HEAD answers'],
    changeResponse: (answer, { method }) => (method === 'HEAD' ? { ...answer, type: 'text/plain' } : answer),
  },
  {
    title: 'every signature is good',
    detectedBy: [
      'without BTNL',
      'a timestamp of another form',
      'a signature',
      'an unknown connection',
      'another query',
      'a stamp',
    ],
    changeQuery: ({ query }) => query,
  },
  {
    title: 'no signature is good',
    detectedBy: ['a good signature'],
    ...status('orders', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    title: 'public is private',
    detectedBy: ['public endpoints'],
    ...status('fundingRates', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    title: 'nothing is refused',
    detectedBy: ['refusals'],
    changeResponse: (answer) => (answer.status >= 400 ? json('[]') : answer),
  },
];

export const TAMPERINGS: readonly Defect[] = [...MARKET_TAMPERINGS, ...ORDER_TAMPERINGS, ...shapes, ...doors];
