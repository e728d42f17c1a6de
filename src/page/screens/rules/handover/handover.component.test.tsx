import { page } from 'vitest/browser';
import { expect, test, vi } from 'vitest';
import { ago, HUNDRED, toAlerts } from '#testing/alerts.ts';
import { openAlerts } from '#testing/component/alerts-page.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { address, expectCount, expectToContain } from '#testing/component/screen.ts';

const main = () => page.getByRole('main');

test('a handover is of the last eight hours, and its address and its text say so', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openAlerts(
    toAlerts(HUNDRED, { shift_note: { text: 'Back on Monday.', by: 'Dana', at: ago(60), version: 1 } }),
    {
      at: '/rules/handover',
    },
  );
  expect(address()).toBe('/rules/handover?from=2026-08-17T04%3A30%3A00Z&to=2026-08-17T12%3A30%3A00Z');
  for (const text of [
    '100 open alerts: 100 firing',
    'Back on Monday.',
    'No silence ends in the next shift',
    '1 gap in the journal',
    '1 attempt to deliver a notification failed',
  ])
    await expectToContain(main(), text);
  await main().getByRole('button', { name: 'Copy as text' }).click();
  await expect.poll(() => copied.mock.calls[0]?.[0]).toMatch(/^Handover, 2026-08-17 04:30:00 UTC to .*12:30:00 UTC\n/);
  copied.mockRestore();
  await main().getByLabelText('From').fill('2026-08-17 12:00');
  await main().getByLabelText('To').click();
  await expect.poll(address).toContain('from=2026-08-17T12%3A00%3A00Z');
  await expectToContain(main(), 'No gap in the journal');
  await expectAccessible('main');
  await expectToFit(1_440, 390);
});

test('a person who may not see the deliveries is not shown that none failed', async () => {
  await openAlerts(toAlerts([]), { at: '/rules/handover', seesCalls: false });
  await expectToContain(main(), 'Whether notifications failed is unknown');
  await expectCount(main().getByText('No delivery'), 0);
});
