import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { exportAs } from './export-menu.ts';
import { test } from './watched-page.ts';

const run = promisify(execFile);

test.use({ live: false });

test('a basis equals the result of the documented command, on the screen and in its file', async ({
  page,
  baseURL,
}) => {
  await page.goto('/curve/BTC?with=none');
  const row = page
    .getByRole('grid', { name: 'BTC months' })
    .getByRole('row')
    .filter({ hasText: /% a year|\+\d/ })
    .nth(1);
  await expect(row.locator('[data-column="basis_year"]')).toHaveText(/\d/);
  const textOf = (column: string): Promise<string> => row.locator(`[data-column="${column}"]`).innerText();
  const [month, usd, aYear] = [await textOf('product'), await textOf('basis_usd'), await textOf('basis_year')];
  const downloading = page.waitForEvent('download');
  await exportAs(page, 'CSV, figures only');
  const [head = '', ...lines] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
  const names = head.split(',');
  const cellsOf = (symbol: string): readonly string[] =>
    lines.map((line) => line.split(',')).find((cells) => cells[names.indexOf('symbol')] === symbol) ?? [];
  const fieldOf = (field: string): string => cellsOf(month)[names.indexOf(field)] ?? '';
  const document = await readFile('docs/evidence.md', 'utf8');
  const [, command = ''] = /```sh\n(desk=[^`]*?\| *\n *bc)\n```/.exec(document) ?? [];
  const ofScreen = command
    .replace('http://127.0.0.1:8080', (baseURL ?? '').replace(/\/$/, ''))
    .replace('month=BUSZ26', `month=${month}`)
    .replace(/session=\S+/, `session=${fieldOf('date')}`);
  const { stdout } = await run('sh', ['-c', ofScreen]);
  const [ofUsd = '', ofYear = ''] = stdout.trim().split('\n');
  expect(Number(ofUsd)).toBe(Number(usd.replace('−', '-').replaceAll(/[+,]/g, '')));
  expect(Number(ofYear).toFixed(2)).toBe(Number(aYear.replace('−', '-')).toFixed(2));
  expect(Number(ofYear)).toBeCloseTo(Number(fieldOf('basis_per_year_fraction')) * 100, 11);
});

test('a carry equals the result of the documented command', async ({ page, baseURL }) => {
  await page.goto('/curve/BTC?view=carry&position=cash');
  const row = page.getByRole('grid', { name: 'BTC carry' }).getByRole('row').nth(1);
  const cell = (column: string) => row.locator(`[data-column="${column}"]`);
  await expect(cell('realised')).toHaveText(/\d/);
  const shown = await Promise.all(['basis', 'realisedFunding', 'realised'].map((column) => cell(column).innerText()));
  const downloading = page.waitForEvent('download');
  await exportAs(page, 'CSV, figures only', 'carry');
  const [head = '', first = ''] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
  const field = (name: string): string => first.split(',')[head.split(',').indexOf(name)] ?? '';
  const document = await readFile('docs/evidence.md', 'utf8');
  const [, command = ''] = /## Recompute a carry[^]*?```sh\n([^`]*?)\n```/.exec(document) ?? [];
  const ofScreen = command
    .replace('http://127.0.0.1:8080', (baseURL ?? '').replace(/\/$/, ''))
    .replace('month=BUSZ26', `month=${field('symbol')}`)
    .replace(/session=\S+/, `session=${field('date')}`);
  const { stdout } = await run('sh', ['-c', ofScreen]);
  const recomputed = stdout
    .trim()
    .split('\n')
    .map((line) => Number(line).toFixed(2));
  expect(recomputed).toEqual(shown.map((text) => Number(text.replace('−', '-')).toFixed(2)));
});
