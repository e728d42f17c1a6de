import { ENDPOINT_NAMES } from '#contract/endpoints.ts';
import { MARKET_TAMPERINGS } from './market-tamperings.ts';
import { ORDER_TAMPERINGS } from './order-tamperings.ts';
import { first, json, rows, set, status, type Wrong } from './tampering.ts';

const shapes: readonly Wrong[] = ENDPOINT_NAMES.map((name) => ({
  wrong: `a field more in ${name}`,
  // A title begins with the path; that of another endpoint may begin with it too, but reads another answer.
  noticedBy: [name],
  ...rows(name, first(set({ surprise: 1 }))),
}));

const doors: readonly Wrong[] = [
  {
    wrong: 'HEAD is of another type',
    noticedBy: ['HEAD answers'],
    answer: (answer, { method }) => (method === 'HEAD' ? { ...answer, type: 'text/plain' } : answer),
  },
  {
    wrong: 'every signature is good',
    noticedBy: [
      'without BTNL',
      'a timestamp of another form',
      'a signature',
      'an unknown connection',
      'another query',
      'a stamp',
    ],
    ask: ({ query }) => query,
  },
  {
    wrong: 'no signature is good',
    noticedBy: ['a good signature'],
    ...status('orders', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    wrong: 'public is private',
    noticedBy: ['public endpoints'],
    ...status('fundingRates', { status: 401, type: 'text/plain', text: '' }),
  },
  {
    wrong: 'nothing is refused',
    noticedBy: ['refusals'],
    answer: (answer) => (answer.status >= 400 ? json('[]') : answer),
  },
];

export const TAMPERINGS: readonly Wrong[] = [...MARKET_TAMPERINGS, ...ORDER_TAMPERINGS, ...shapes, ...doors];
