import { expect } from '@playwright/test';
import { DeskStatus } from '#contract/desk/status.ts';
import { createParser } from '#contract/parse/parse.ts';
import { test } from './watched-page.ts';

const parser = createParser(DeskStatus, 'endpoints');

test('the table has every endpoint of the policy, and counts what the desk requests', async ({ page, request }) => {
  const policy = (await (await request.get('/api/desk/policy')).json()) as {
    endpoints: { name: string; upstream: string }[];
  };
  await request.get('/api/web/market/stats/trailing/all-products');
  const status = parser.strict(await (await request.get('/api/desk/status')).text());
  const before = status.endpoints.find(({ endpoint }) => endpoint === 'trailingStatsAll')?.asked ?? 0;
  expect(before).toBeGreaterThan(0);
  await page.goto('/status');
  const rows = page.getByRole('region', { name: 'Endpoints', exact: true }).getByRole('row');
  await expect(rows).toHaveCount(policy.endpoints.length + 1);
  await expect(rows.filter({ hasText: 'fundingEstimated' })).toContainText('OK');
  await expect
    .poll(async () => Number(await rows.filter({ hasText: 'trailingStatsAll' }).getByRole('cell').nth(1).textContent()))
    .toBeGreaterThanOrEqual(before);
});
