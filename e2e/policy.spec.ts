import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({
  provoked: /policy|Policy|request failed: https:\/\/elsewhere\.example|request to https:\/\/elsewhere\.example/,
});

test('the page blocks inline code and styles', async ({ page, pageErrors }) => {
  await page.goto('/status');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(script, style);
  });
  await expect.poll(() => pageErrors.join('\n')).toContain('policy violated: script-src-elem by inline');
  await expect.poll(() => pageErrors.join('\n')).toContain('policy violated: style-src-elem by inline');
  await expect(page).toHaveTitle('Status · Perpdesk');
  await expect(page.getByRole('heading', { name: 'Status' })).toBeVisible();
});

test('the page evaluates no text as code', async ({ page, pageErrors }) => {
  await page.goto('/status');
  await page.evaluate(() => {
    const button = document.createElement('button');
    button.addEventListener('click', () => {
      // oxlint-disable-next-line typescript/no-implied-eval -- that it does not run is the test
      setTimeout('document.title = "taken over"');
    });
    button.click();
  });
  await expect.poll(() => pageErrors.join('\n')).toContain('policy violated: script-src by eval');
  await expect(page).toHaveTitle('Status · Perpdesk');
});

function readElsewhere(page: Page): Promise<string> {
  return page.evaluate(() =>
    fetch('https://elsewhere.example/').then(
      () => 'read',
      () => 'refused',
    ),
  );
}

test('the page reads from no other origin', async ({ page, pageErrors }) => {
  await page.goto('/status');
  expect(await readElsewhere(page)).toBe('refused');
  await expect
    .poll(() => pageErrors.join('\n'))
    .toContain('policy violated: connect-src by https://elsewhere.example/');
});

test('violations in other tabs and contexts are detected as well', async ({ context, strangersPage, pageErrors }) => {
  for (const page of [await context.newPage(), strangersPage]) {
    pageErrors.length = 0;
    await page.goto('/status');
    expect(await readElsewhere(page)).toBe('refused');
    await expect
      .poll(() => pageErrors.join('\n'))
      .toContain('policy violated: connect-src by https://elsewhere.example/');
  }
});
