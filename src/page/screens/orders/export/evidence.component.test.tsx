import { page, type Locator } from 'vitest/browser';
import { expect, test, vi } from 'vitest';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { PROBLEM_PREFIX, PROBLEMS } from '#contract/desk/problems.ts';
import type { RecordedAnswer } from '#testing/component/answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open, recordedAnswer } from '#testing/component/mount.tsx';
import { expectCount, expectToContain, fileSavedBy } from '#testing/component/screen.ts';

const dialog = (): Locator => page.getByRole('dialog', { name: 'Evidence: Working orders' });
const evidence = (): Locator => page.getByRole('button', { name: 'Evidence', exact: true });

test('where the exchange cannot filter like the screen, the dialog says what else is in the file, and saves it only once that is ticked', async () => {
  const { orders } = JSON.parse((await recordedAnswer('/api/desk/working'))?.text ?? '') as DeskWorking;
  const bids = orders.filter(({ side }) => side === 'Bid').length;
  const accounts = new Set(orders.map((order) => order.account_id)).size;
  await open('/orders?f=side:is:Bid', { size: [1_280, 800] });
  await evidence().click();
  await expectToContain(
    dialog(),
    `The file contains all ${String(orders.length)} working orders of ${String(accounts)} accounts, with account codes, not only the ${String(bids)} shown: the exchange cannot filter by “Side is Bid”.`,
  );
  const save = dialog().getByRole('button', { name: 'Save evidence' });
  await expect.element(save).toBeDisabled();
  await dialog()
    .getByRole('checkbox', { name: `Save the ${String(orders.length - bids)} orders that are not shown, too` })
    .click();
  await expect.element(save).toBeEnabled();
  await dialog()
    .getByRole('checkbox', { name: /^Replace codes/ })
    .click();
  await expectAccessible('[role=dialog]');
  await expectToFit(1_920, 390);
  await expectAccessible('[role=dialog]');
  await dialog().getByRole('button', { name: 'Close' }).click();
  // In a narrow window, the button is among the tools.
  await page.getByRole('button', { name: 'Tools' }).click();
  await evidence().click();
  await expect.element(dialog().getByRole('checkbox', { name: /^Replace codes/ })).toBeVisible();
});

test('while it is made, when a read fails and where nothing matches, the dialog says so', async () => {
  const { status, title } = PROBLEMS['venue-fault'];
  const failed = {
    status,
    headers: { 'content-type': 'application/problem+json' },
    text: JSON.stringify({
      type: `${PROBLEM_PREFIX}venue-fault`,
      title,
      status,
      detail: 'The exchange responded with an error.',
      instance: 'r-1',
    }),
  };
  const { promise: held, resolve } = Promise.withResolvers<null>();
  let toRead = (): Promise<Pick<RecordedAnswer, 'status' | 'headers' | 'text'> | null> => Promise.resolve(failed);
  // Reads for evidence bypass the page's cache.
  vi.spyOn(window, 'fetch').mockImplementation(async (request) => {
    const target = request as string;
    const answer = target.startsWith('/api/desk/working') ? await toRead() : await recordedAnswer(target);
    if (answer === null) throw new Error(`No answer to GET ${target} is recorded.`);
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  });
  await open('/orders?f=product:is:NONE', { size: [1_280, 800] });
  await evidence().click();
  await dialog().getByRole('button', { name: 'Save evidence' }).click();
  await expectToContain(dialog(), 'No file was made. GET /api/desk/working?symbol=NONE: ');
  await expectAccessible('[role=dialog]');
  toRead = async () => {
    await held;
    return recordedAnswer('/api/desk/working?symbol=NONE');
  };
  const { name } = await fileSavedBy(async () => {
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await expect.element(dialog().getByRole('progressbar', { name: 'Making evidence' })).toBeVisible();
    resolve(null);
  });
  expect(name).toMatch(/^evidence-[a-z0-9-]+-2026-08-17T1230\d\dZ\.zip$/);
  await expectToContain(dialog(), 'Nothing matches, so the file has no rows');
  await dialog().getByRole('button', { name: 'Done' }).click();
  await expectCount(dialog(), 0);
});
