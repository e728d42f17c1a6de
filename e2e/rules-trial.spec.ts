import { expect } from '@playwright/test';
import type { RuleTrial } from '#contract/desk-alerts.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { MANY, putRule, test } from './rules-desk.ts';
import { takeShot } from './take-shot.ts';

const TRIAL = { timeout: 20_000 };

/** A past that no desk of a test has: gaps take minutes. */
const PAST: Pick<RuleTrial, 'tried_from' | 'tried_to' | 'gaps' | 'firings'> = {
  tried_from: '2026-08-18T00:00:00.000Z' as RuleTrial['tried_from'],
  tried_to: '2026-08-18T10:00:00.000Z' as RuleTrial['tried_to'],
  gaps: [toSpan('02:00', '03:00'), toSpan('06:00', '06:30')],
  firings: [
    { group: '', at: toSpan('01:00', '01:30').from, resolved_at: toSpan('01:00', '01:30').to, value: '4' },
    { group: '', at: toSpan('08:00', '10:00').from, resolved_at: null, value: '5' },
  ],
};

function toSpan(from: string, to: string): RuleTrial['gaps'][number] {
  const [start, end] = [from, to].map((time) => `2026-08-18T${time}:00.000Z`) as RuleTrial['gaps'][number]['from'][];
  if (start === undefined || end === undefined) throw new Error('no times');
  return { from: start, to: end };
}

test('a trial says and draws when the journal was not read', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await putRule(page, MANY);
  await page.route('**/api/desk/rules/try', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...PAST } });
  });
  await page.goto('/rules/edit/many');
  await inEachLook(page, [[390, 900], [1_280, 900], [2_560, 900]], async (look) => {
    await expect(page.getByText(/^In 10 h 00 min, it would have fired twice/)).toContainText('The journal has 2 gaps in this period, 1 h 30 min in all: what happened in them is unknown, and the time the rule has held is counted from zero after each.', TRIAL);
    const line = page.getByRole('img', { name: '2 firings, 2 gaps. Each firing is listed below.' });
    const [box, gap] = [await line.boundingBox(), await page.locator('figure [data-part=gap]').nth(1).boundingBox()];
    if (box === null || gap === null) throw new Error('not drawn');
    expect(Math.round((10 * (gap.x - box.x)) / box.width)).toBe(2);
    expect(Math.round((10 * gap.width) / box.width)).toBe(1);
    await expect(page.getByRole('table', { name: 'When it would have fired' }).getByRole('row')).toHaveCount(3);
    await expectToFit(page, look);
    await expectAccessible(page, look);
    await line.scrollIntoViewIfNeeded();
    await takeShot(page, `rules-trial-${look.colorScheme}-${String(look.width)}`);
  });
});
