import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/endpoints.ts';
import { areaOf, expectSame, expectThat, type Check } from './check.ts';
import { validRequest } from './samples.ts';

const check = areaOf('shapes');

/** One a row of the table: an endpoint added there is checked here. */
export const shapeChecks: readonly Check[] = ENDPOINT_NAMES.map((name) =>
  check(
    ENDPOINTS[name].optional ? 'venue facts' : 'interface',
    `${ENDPOINTS[name].path} answers exactly its shape, as JSON`,
    async (context) => {
      const question = await validRequest(context, name);
      const value = await context.read(name, question);
      const { headers, requestLine } = await context.probe.request(question);
      const type = headers.get('content-type') ?? 'nothing';
      expectThat(type.startsWith('application/json'), `${requestLine} says it is ${type}`);
      const rows = Array.isArray(value) ? value : 'data' in value ? value.data : [value];
      expectThat(rows.length > 0 || name === 'ordersWorking', `${requestLine} gives no row, so nothing was compared`);
      return `${String(rows.length)} rows`;
    },
  ),
);

export const headChecks: readonly Check[] = [
  check('decision', 'HEAD answers like GET, without a body', async ({ probe }) => {
    const question = { name: 'trailingStatsAll' } as const;
    const head = await probe.send({ method: 'HEAD', path: probe.pathOf(question) });
    expectSame([head.status, head.text], [200, ''], head.requestLine);
    expectSame(
      head.headers.get('content-type'),
      (await probe.request(question)).headers.get('content-type'),
      'content type',
    );
  }),
];
