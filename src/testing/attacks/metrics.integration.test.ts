import { expect, it } from 'vitest';
import { ENDPOINT_NAMES } from '#contract/exchange/endpoints.ts';
import { openHostile } from './open-hostile.ts';
import { parsePrometheus, type Measurement } from './prometheus.ts';

const hostile = await openHostile();
const OWN = [
  '/api/desk/products',
  '/api/desk/working',
  '/api/desk/status',
  '/api/desk/policy',
  '/healthz',
  '/readyz',
  '/metrics',
];

async function measure(): Promise<readonly Measurement[]> {
  const { headers, body } = await hostile.request({ path: '/metrics' });
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parsePrometheus(body.toString());
}

const sumOf = (measured: readonly Measurement[], name: string): number =>
  measured.filter((one) => one.name === name).reduce((sum, { value }) => sum + value, 0);

it('the metrics work before the first request', async () => {
  const names = new Set((await measure()).map(({ name }) => name));
  expect([...names].filter((name) => !/^(?:perpdesk|process|nodejs)_/.test(name))).toEqual([]);
  expect(names.size).toBeGreaterThan(6);
});

it('only a counter is named a total, as the linter of Prometheus requires', async () => {
  const { body } = await hostile.request({ path: '/metrics' });
  const types = [...body.toString().matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

it('each request is counted once, and the number of series stays bounded', async () => {
  // Each endpoint and outcome occurs once, so nothing that comes later adds a series.
  for (const path of ['/api/x', '/api/orders?p=1', '/api/orders?limit=999']) await hostile.request({ path });
  const before = await measure();
  const paths = Array.from({ length: 150 }, (_, index) => [
    `/api/x${String(index)}"\\\n`.replace('\n', '%0a'),
    `/api/orders?p${String(index)}=1`,
    `/api/orders?limit=${String(index + 1)}`,
  ]).flat();
  for (const path of paths) await hostile.request({ path });
  const after = await measure();
  // The previous read counts itself only after it ends.
  expect(sumOf(after, 'perpdesk_requests_total') - sumOf(before, 'perpdesk_requests_total')).toBe(paths.length + 1);
  const endpoints = new Set(
    after.filter(({ name }) => name === 'perpdesk_requests_total').map(({ labels }) => labels['endpoint']),
  );
  expect(
    [...endpoints].filter((endpoint) => ![...ENDPOINT_NAMES, ...OWN, 'none'].some((known) => known === endpoint)),
  ).toEqual([]);
  // Node.js's own series begin with the first garbage collection of each kind.
  const ownOf = (measured: readonly Measurement[]) =>
    measured.filter(({ name }) => name.startsWith('perpdesk_')).length;
  expect(ownOf(after) - ownOf(before)).toBeLessThan(10);
  expect(
    after.find(
      ({ name, labels }) =>
        name === 'perpdesk_requests_total' && labels['endpoint'] === 'orders' && labels['outcome'] === 'miss',
    )?.value,
  ).toBe(151);
});
