import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type Parameter,
} from '#contract/exchange/endpoints.ts';
import { areaOf, expectSame, expectStatus, expectThat, type Check, type Context } from './check.ts';
import { validRequest } from './samples.ts';
import type { ProbeResponse, Query } from './probe.ts';

const check = areaOf('refusals');

const SUSPECTS = ['', '-1', 'no such word', '2026-13-45', '1e3', 'ä', '\u0000'];
const UNKNOWN_PRODUCT = '999999999';
const OVERSIZED = 'a'.repeat(70_000);

/** Returns texts that the parameter's grammar does not accept. */
function refusedBy({ grammar }: Parameter): readonly string[] {
  return SUSPECTS.filter((text) => !grammar.accepts(text)).slice(0, 3);
}

async function send(context: Context, name: EndpointName, query: Query): Promise<ProbeResponse> {
  return context.probe.request({ ...(await validRequest(context, name)), query });
}

function expectRefused(response: ProbeResponse, named: string): void {
  expectStatus(response, 400);
  expectThat(
    response.text.includes(named),
    `${response.requestLine}: the response does not name ${named}: ${response.text.slice(0, 120)}`,
  );
}

function parameterChecks(name: EndpointName): Check[] {
  const { path, query }: Endpoint = ENDPOINTS[name];
  return Object.entries(query).map(([parameter, rule]) =>
    check('decision', `${path}: ${parameter} must be ${rule.grammar.sentence}`, async (context) => {
      for (const text of refusedBy(rule)) expectRefused(await send(context, name, [[parameter, text]]), parameter);
      if (rule.repeatable) return;
      const twice = [parameter, rule.grammar.example] as const;
      expectRefused(await send(context, name, [twice, twice]), parameter);
    }),
  );
}

function unknownParameterCheck(name: EndpointName): Check {
  return check('decision', `${ENDPOINTS[name].path}: an unknown parameter is refused and named`, async (context) => {
    expectRefused(await send(context, name, [['no_such_parameter', '1']]), 'no_such_parameter');
  });
}

const offered = async (context: Context, name: EndpointName): Promise<void> => {
  if (ENDPOINTS[name].optional) await context.read(name, await validRequest(context, name));
};

function whereOffered(item: Check, name: EndpointName): Check {
  return {
    ...item,
    run: async (context) => {
      await offered(context, name);
      return item.run(context);
    },
  };
}

export const rejectionChecks: readonly Check[] = [
  ...ENDPOINT_NAMES.flatMap((name) =>
    [...parameterChecks(name), unknownParameterCheck(name)].map((item) => whereOffered(item, name)),
  ),
  check('decision', 'an unknown product gets a 404', async ({ probe }) => {
    expectStatus(await probe.request({ name: 'chartPrice', path: { id: UNKNOWN_PRODUCT } }), 404);
    expectStatus(await probe.request({ name: 'trailingStats', path: { product_id: UNKNOWN_PRODUCT } }), 404);
    expectStatus(await probe.request({ name: 'fundingEstimated', path: { base_symbol: 'NOSUCH' } }), 404);
  }),
  check('decision', 'a malformed product id is refused', async ({ probe }) => {
    expectStatus(await probe.request({ name: 'chartPrice', path: { id: 'abc' } }), 400);
    expectStatus(await probe.request({ name: 'trailingStats', path: { product_id: '-1' } }), 400);
  }),
  check('decision', 'methods other than GET and HEAD are refused', async ({ probe }) => {
    const path = probe.pathOf({ name: 'trailingStatsAll' });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await probe.send({ method, path });
      expectStatus(response, 405);
      expectSame(response.headers.get('allow'), 'GET, HEAD', `${method}: allowed methods`);
    }
  }),
  check('decision', 'an unknown path gets a 404', async ({ probe }) => {
    for (const path of ['/web/charts/nothing', '/web/charts/price/1/2', '/']) {
      const base = probe.pathOf({ name: 'trailingStatsAll' }).replace(/\/web\/.*/, '');
      const response = await probe.send({ path: base + path });
      expectStatus(response, 404);
    }
  }),
  check('venue facts', 'a path below the wrong mount gets a 404', async ({ probe }) => {
    const base = probe.pathOf({ name: 'trailingStatsAll' }).replace(/\/web\/.*/, '');
    for (const path of ['/v1/prod/funding-rates/', '/v1/orders'])
      expectStatus(await probe.send({ path: base + path }), 404);
  }),
  check('decision', 'a URL that is too long is refused', async ({ probe }) => {
    const response = await probe.send({
      path: probe.pathOf({ name: 'chartVoi' }),
      rawQuery: `product_id=${OVERSIZED}`,
    });
    expectStatus(response, 414, 431);
  }),
  check('decision', 'invalid percent-encoding is refused', async ({ probe }) => {
    const response = await probe.send({ path: probe.pathOf({ name: 'chartVoi' }), rawQuery: 'product_id=%zz' });
    expectStatus(response, 400);
  }),
];
