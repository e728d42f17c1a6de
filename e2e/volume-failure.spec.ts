import { expect } from '@playwright/test';
import { toProblemResponse, UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

const READS = '**/api/web/charts/voi*';

test.use({ provoked: /4(?:0[04]|29) \(|50[234] \(|request failed|ERR_/ });

test('when a later read fails the chart stays, dimmed, with age and reason, and recovers by itself', async ({ page }) => {
  await page.clock.install();
  await page.goto('/volume?product=PBTCUCZ50&range=1M');
  const chart = page.getByRole('application');
  await expect(chart).toBeVisible();
  await page.route(READS, (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('Not current. These are the last good data. It refuses the connection.');
  await expect(chart).toBeVisible();
  await expect(page.getByText(/stale, .* old/).first()).toBeVisible();
  await page.screenshot({ path: 'e2e/artifacts/screens/volume-stale-light-1280.png' });
  await page.unroute(READS);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('main').getByText('Not current.')).toBeHidden();
});

test('without an answer the screen says what happened, and tries again', async ({ page }) => {
  await page.route(READS, (route) => route.fulfill(UNREACHABLE));
  await page.goto('/volume?product=PBTCUCZ50');
  const failure = page.getByRole('main').locator('section[data-level]');
  await expect(failure).toContainText('It refuses the connection.');
  await page.unroute(READS);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('application')).toBeVisible();
});

test('upon each other, one product that cannot be read fails the whole: a stack with a hole would lie', async ({ page }) => {
  let asked = 0;
  await page.route(READS, async (route) => {
    asked += 1;
    await (asked === 2 ? route.fulfill(UNREACHABLE) : route.continue());
  });
  await page.goto('/volume?series=BUS&as=stacked&range=1M');
  await expect(page.getByRole('main').locator('section[data-level]')).toContainText('It refuses the connection.');
  await expect(page.getByRole('application')).toHaveCount(0);
});

test('upon each other, a day for which one has no row is withheld, and named: the stack would seem to fall', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
  const cut = String(products.find(({ symbol }) => symbol === 'PETHUIZ50')?.product_id);
  await page.route(`**/api/web/charts/voi?product_id=${cut}&*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: ((await response.json()) as readonly unknown[]).toSpliced(-4, 1) });
  });
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&range=1M&view=table');
  await expect(page.getByText(/^Open interest of \d+ \w+ \d{4} is withheld: that of PETHUIZ50 is missing/)).toBeVisible();
  await expect(page.getByRole('cell', { name: 'withheld', exact: true })).toHaveCount(1);
});

test('an answer of the wrong shape is refused whole, and told', async ({ page }) => {
  await page.route(READS, (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '"closed"' }));
  await page.goto('/volume?product=PBTCUCZ50');
  await expect(page.getByRole('main').locator('section[data-level]')).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
  await page.getByText('What came', { exact: true }).click();
  await expect(page.getByText('"closed"', { exact: true })).toBeVisible();
});

test('a name that nobody has is said to be none', async ({ page }) => {
  await page.goto('/volume?product=NOTHING');
  await expect(page.getByRole('heading', { name: 'There is no product called NOTHING' })).toBeVisible();
});

test('a range in which nothing settled is empty, and leads to all there is', async ({ page }) => {
  await page.goto('/volume?product=PBTCUCZ50&from=2001-01-01&to=2001-02-01');
  await expect(page.getByRole('heading', { name: 'No session settled in this range' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all there is' }).click();
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page).toHaveURL(/range=All/);
});

test('a notice over old data says what to do, and when the page asks again', async ({ page }) => {
  await page.clock.install();
  await page.goto('/volume?product=PBTCUCZ50&range=1M');
  await expect(page.getByRole('application')).toBeVisible();
  await page.route(READS, (route) => route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('The next request may go out in 90 s. Wait: the page asks again as soon as the venue allows it.');
  // How much of the 90 s is left depends on the age that the answer had when the page came: the desk may have held it.
  await expect(page.getByRole('main').getByText(/^The page asks again in (?:1 min|\d+ s)/)).toBeVisible();
});
