import { page } from 'vitest/browser';
import { expect, test } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';

const away = changing(
  /\/desk\/status$/,
  toBody(({ venue, now, ...status }: DeskStatus) => ({
    ...{ ...status, now },
    venue: { ...venue, circuit: 'open', last_failure: { at: now, type: 'venue-unreachable', detail: 'Refused.' } },
  })),
);

test.each([
  ['/rules', false],
  ['/rules?show=rules', false],
  ['/rules?show=changes', false],
  ['/rules?show=calls', false],
  ['/orders/activity', false],
  ['/funding', true],
])('while only the exchange is away, only what comes from it is stale: %s', async (path, isStale) => {
  await open(path, { change: away });
  await expect.element(page.getByRole('region', { name: 'Outage' })).toBeVisible();
  const stale = page.getByRole('main').getBySelector('[data-stale=true], [data-freshness=stale]');
  await expect.poll(() => stale.elements().length > 0).toBe(isStale);
});
