import { expect, test } from 'vitest';
import { isTooManyWorkingOrders, REJECTIONS, TOO_MANY_WORKING_ORDERS } from './rejections.ts';

test('each status occurs once', () => {
  const statuses = REJECTIONS.map(({ status }) => status);
  expect(statuses).toEqual([400, 401, 403, 404, 405, 414]);
});

test.each([
  TOO_MANY_WORKING_ORDERS,
  'more than 10000 working orders match; narrow by account or product',
  'Error: More than 10,000 working orders match this request.',
  'Your query matches 12034 working orders, which exceeds the maximum of 10000.',
  'Too many open orders (limit 10.000)',
  '{"error":"More than 10000 working orders match"}',
])('the limit on working orders is recognised: %s', (body) => {
  expect(isTooManyWorkingOrders(400, body)).toBe(true);
});

test.each([
  [400, ''],
  [400, 'limit must be a whole number from 1 to 1000.'],
  [400, 'More than 100 working orders match.'],
  [400, 'More than 110000 orders match.'],
  [400, 'limit must be a whole number from 1 to 10000.'],
  [403, TOO_MANY_WORKING_ORDERS],
  [200, TOO_MANY_WORKING_ORDERS],
])('another error is not taken for it: %i %j', (status, body) => {
  expect(isTooManyWorkingOrders(status, body)).toBe(false);
});
