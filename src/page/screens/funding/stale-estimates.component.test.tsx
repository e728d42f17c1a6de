// Tests predicted rates that are not current, on the three screens that show them.
import { describe, expect, it, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open, type Change } from '#testing/component/mount.tsx';
import {
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  exportMenu,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import { ageEstimates, ESTIMATED, expectAllPredicted, failAt, figureNote } from '#testing/component/funding-page.ts';

const rates = (): Locator => page.getBySelector('[role=gridcell][data-column="estimate"]').filter({ hasText: /\d/ });
const old = (): Locator => page.getBySelector('[role=gridcell][data-column="estimate"][data-tone="old"]');
const isOver = 'Its interval has ended, and the next predicted rate has not arrived.';

/** Keeps the predicted rate of the previous interval, as if the exchange had stopped. */
const keepLastInterval: Change = (answer) => {
  if (!answer.target.includes(ESTIMATED)) return answer;
  return {
    ...answer,
    text: JSON.stringify({
      funding_rate: 0.0001,
      interval_start: '2026-08-17T00:00:00Z',
      interval_end: '2026-08-17T08:00:00Z',
    }),
  };
};

describe.each([
  ['Markets', '/?type=perpetual', 'boundary', /^10m [+−]\d\.\d{4}$/],
  ['the comparison of funding', '/funding?form=interval&sort=next', 'next', /^10 min · [+−]\d\.\d{4}$/],
] as const)('%s', (_, path, next, aged) => {
  it('marks predicted rates of an interval that is over as stale', async () => {
    await open(path, { change: keepLastInterval });
    await expectAllPredicted();
    await expect.element(page.getByRole('main').getByText(isOver)).toBeVisible();
    const row = page.getByRole('row').filter({ has: old() }).first();
    // The settled rates also determine the next funding time.
    await expectText(row.getBySelector(`[data-column="${next}"]`), /^3:(?:29:59|30:00)$/);
    await row.getBySelector('[data-column="estimate"]').click();
    await press('i');
    await expectToContain(figureNote(), 'Its interval has ended');
  });

  it('keeps and marks predicted rates that cannot be read again, with the reason', async () => {
    const isDown = vi.fn<() => boolean>(() => false);
    await open(path, { change: failAt(ESTIMATED, isDown) });
    await expectAllPredicted();
    await expectCount(old(), 0);
    isDown.mockReturnValue(true);
    vi.setSystemTime(Date.now() + 320_000);
    window.dispatchEvent(new Event('visibilitychange'));
    await expect.element(page.getByRole('main').getByText(/Predicted rates stale/)).toBeVisible();
    await expect.element(page.getByRole('main').getByText(/The connection was refused\./)).toBeVisible();
    await expectText(old().first(), /\d/);
  });

  it('marks predicted rates as stale only once they are old, while no newer ones can be read', async () => {
    await open(path, { change: ageEstimates(15) });
    await expectAllPredicted();
    await expectCount(old(), 0);
    await expectCount(page.getByText('Predicted rates stale.'), 0);
    await open(path, { change: ageEstimates(600) });
    await expectAllPredicted();
    await expect.poll(() => old().elements().length).toBe(rates().elements().length);
    await expectText(old().first(), aged);
    await expect.element(page.getByText('Predicted rates stale.', { exact: true })).toBeVisible();
  });
});

describe('one perpetual', () => {
  const estimate = (): Locator => page.getByTestId('estimate');
  const inCarry = (): Locator => page.getByTestId('carry-estimate');
  const path = (): Locator => page.getByRole('region', { name: 'Predicted rate in this interval' });
  const pathChart = (): Locator =>
    path().getByRole('application', { name: /^BTCUC predicted rate in the interval to / });

  it('outlines the predicted rate, with the share of its interval and its weight so far', async () => {
    await open('/funding/BTCUC');
    await expectToContain(estimate(), 'not settled');
    expect(getComputedStyle(estimate().element()).borderStyle).toBe('dashed');
    for (const [name, share] of [
      ['Elapsed', '56.2 %'],
      ['Weight so far', '31.6 %'],
    ] as const)
      await expectText(estimate().getBySelector('div').filter({ hasText: name }).getBySelector('dd'), share);
    await expectText(estimate().getBySelector('time').first(), /^3:(?:29:59|30:00)$/);
  });

  it('marks one of an interval that is over, without a countdown, and leaves it out of the carry', async () => {
    await open('/funding/BTCUC', { change: keepLastInterval });
    await expectToContain(estimate(), 'Stale');
    await expectToContain(estimate(), isOver);
    expect(textsOf(estimate()).join()).not.toContain('settling');
    await expectToContain(page.getByTestId('carry-sum'), '90 of 90');
    await expectCount(inCarry(), 0);
  });

  it('marks one as stale only once it is old, while no newer one can be read', async () => {
    await open('/funding/BTCUC', { change: ageEstimates(15) });
    await expect.element(inCarry()).toBeVisible();
    expect(textsOf(estimate()).join()).not.toContain('Stale');
    await open('/funding/BTCUC', { change: ageEstimates(600) });
    await expectToContain(estimate(), 'Stale');
    await expectCount(inCarry(), 0);
  });

  it('charts and lists those recorded in this interval, also where no newer one can be read', async () => {
    await open('/funding/BTCUC?predicted=table');
    const recorded = path()
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
    await expectCount(recorded, 1);
    await expectToContain(recorded, '+0.0100');
    await open('/funding/BTCUC', { change: failAt(ESTIMATED) });
    await expect.element(page.getByText('No predicted rate: ')).toBeVisible();
    await expect.element(pathChart()).toBeVisible();
    await exportAs('Table', exportMenu('predicted rates'));
    await expectCount(recorded, 1);
  });

  it('says where none is recorded, and offers to read again those that could not be', async () => {
    const recorded = '/api/desk/estimates?';
    await open('/funding/BTCUC', {
      change: (answer) => (answer.target.includes(recorded) ? { ...answer, text: '{"estimates":[]}' } : answer),
    });
    await expectToContain(path(), 'No predicted rate recorded in this interval yet');
    await open('/funding/BTCUC', { change: failAt(recorded) });
    await expect.element(path().getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
