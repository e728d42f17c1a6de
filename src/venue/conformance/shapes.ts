import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { areaOf, expectSame, expectThat, type Check } from './check.ts';
import { validRequest } from './samples.ts';

const check = areaOf('shapes');

/** One check per endpoint. */
export const shapeChecks: readonly Check[] = ENDPOINT_NAMES.map((name) =>
  check(
    ENDPOINTS[name].optional ? 'venue facts' : 'interface',
    `${ENDPOINTS[name].path} matches its schema, as JSON`,
    async (context) => {
      const request = await validRequest(context, name);
      const value = await context.read(name, request);
      const { headers, requestLine } = await context.probe.request(request);
      const type = headers.get('content-type') ?? 'nothing';
      expectThat(type.startsWith('application/json'), `${requestLine} has the content type ${type}`);
      const rows = Array.isArray(value) ? value : 'data' in value ? value.data : [value];
      expectThat(rows.length > 0 || name === 'ordersWorking', `${requestLine} returned no row to check`);
      return `${String(rows.length)} rows`;
    },
  ),
);

export const headChecks: readonly Check[] = [
  check('decision', 'HEAD responds like GET, without a body', async ({ probe }) => {
    const request = { name: 'trailingStatsAll' } as const;
    const head = await probe.send({ method: 'HEAD', path: probe.pathOf(request) });
    expectSame([head.status, head.text], [200, ''], head.requestLine);
    expectSame(
      head.headers.get('content-type'),
      (await probe.request(request)).headers.get('content-type'),
      'content type',
    );
  }),
];
