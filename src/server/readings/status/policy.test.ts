import { expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { findVenue } from '#contract/exchange/addresses.ts';
import { describePolicy } from './status.ts';

const profile = findVenue('bitnomial-sandbox') ?? expect.fail('no such venue');
const { response, rows } = DESK_ENDPOINTS.policy;
const policy = createParser(response, rows).strict(JSON.stringify(describePolicy(profile)));

test('the policy lists every endpoint of the table, and no other', () => {
  expect(policy.methods).toEqual(['GET', 'HEAD']);
  expect(policy.endpoints.map(({ name }) => name)).toEqual(ENDPOINT_NAMES);
  expect(policy.endpoints.map(({ path }) => path)).toEqual(ENDPOINT_NAMES.map((name) => `/api${ENDPOINTS[name].path}`));
});

test('each endpoint has its path at the exchange, its parameters and their grammar', () => {
  expect(policy.endpoints.find(({ name }) => name === 'ordersWorking')).toMatchObject({
    path: '/api/orders/working',
    upstream: '/v1/sandbox/orders/working',
    access: 'signed',
    settled_after_seconds: null,
    query: expect.arrayContaining([
      { name: 'account_id', must_be: expect.stringContaining('printable') as string, repeatable: false },
    ]) as unknown,
  });
  expect(policy.endpoints.find(({ name }) => name === 'chartVoi')?.query[0]).toMatchObject({
    name: 'product_id',
    repeatable: true,
  });
  expect(policy.endpoints.find(({ name }) => name === 'fundingEstimated')?.path_parameters).toHaveLength(1);
});
