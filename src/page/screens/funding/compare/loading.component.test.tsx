import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { mount, open, recordedAnswer } from '#testing/component/mount.tsx';
import { expectCount, expectText, textsOf } from '#testing/component/screen.ts';
import { cellOf, choice, rows, showColumns } from '#testing/component/funding-page.ts';

/** Counts the exports that can be used. */
const countExports = () =>
  page
    .getByRole('main')
    .getByRole('button', { name: /CSV|PNG|Evidence|Export/ })
    .elements()
    .filter((button) => button.closest('[inert]') === null).length;

it('shows neither figures nor exports before the first rates have arrived', async () => {
  mount('/funding', {
    change: (answer) =>
      answer.target.includes('/api/desk/funding') ? Promise.withResolvers<typeof answer>().promise : answer,
  });
  await expect.element(page.getByText('Loading…').first()).toBeInTheDocument();
  expect(countExports()).toBe(0);
  await expectCount(page.getByRole('main').getBySelector('[data-freshness]'), 0);
  await expectCount(rows(), 0);
});

it('keeps the rates of the last range, dimmed and not for export, until those of another one have arrived', async () => {
  const held = Promise.withResolvers<undefined>();
  showColumns(['rank', 'sum-7d', 'coverage']);
  await open('/funding', {
    answer: async (target) => {
      const at = new URL(target, 'http://desk').searchParams.get('begin_time') ?? '';
      if (!target.startsWith('/api/desk/funding?') || at > '2026') return null;
      await held.promise;
      return recordedAnswer('/api/desk/funding?begin_time=2026-05-18T00%3A00%3A00Z');
    },
  });
  await choice('Range', '1y').click();
  const titles = () => textsOf(page.getByRole('main').getBySelector('h2'));
  await expect.element(page.getByText('Reading 1 y…')).toBeVisible();
  await expectCount(page.getByRole('main').getBySelector('[data-freshness]'), 0);
  await expectText(cellOf('BTCUC', 'sum-7d'), '+0.2100');
  await expectText(cellOf('BTCUC', 'coverage'), '21 of 21');
  expect(titles()).toContain('Funding rates, last 7 d');
  expect(countExports()).toBe(0);
  held.resolve(undefined);
  await expect.poll(titles).toContain('Funding rates, last 1 y');
  await expect.poll(countExports).toBeGreaterThan(0);
  await expect.element(page.getByText(/\d+ s old/)).toBeVisible();
});
