import { chromium } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { FIRST_HALF, startDroppingDesk } from './dropping-desk.ts';
const desk = await startDroppingDesk(['--live', 'on', '--working', '1130']);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' });
const open = async (width: number, scheme: 'dark' | 'light') => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  return page;
};
try {
  const page = await open(1280, 'dark');
  const phone = await open(390, 'light');
  const wide = await open(1920, 'light');
  const pages = [['1280-dark', page], ['390-light', phone], ['1920-light', wide]] as const;
  for (const [, one] of pages) await one.goto(`${desk.address}orders?panel=proof`);
  await page.getByText('Complete').first().waitFor({ timeout: 60_000 });
  await pause(5000);
  for (const [name, one] of pages) { const b = one.getByRole('button', { name: 'Completeness' }); if (await b.count() > 0 && name !== '390-light') await b.first().click(); }
  desk.drop({ ...FIRST_HALF, history: 'none' });
  await page.getByText('no longer listed, being checked').first().waitFor({ timeout: 60_000 });
  await Promise.all(pages.map(([name, one]) => one.screenshot({ path: `/tmp/shots/doubt-${name}.png` })));
  await page.getByText('not verified').first().waitFor({ timeout: 60_000 });
  await Promise.all(pages.map(([name, one]) => one.screenshot({ path: `/tmp/shots/unverified-${name}.png` })));
  desk.drop(null);
  await pause(10_000);
  await page.goto(`${desk.address}orders/activity`);
  await wide.goto(`${desk.address}orders/activity?kinds=returned`);
  await pause(6_000);
  await page.screenshot({ path: '/tmp/shots/activity-1280-dark.png' });
  await wide.screenshot({ path: '/tmp/shots/activity-1920-light.png' });
  const response = await fetch(`${desk.address}api/desk/journal/changes?kind=returned&limit=1`);
  const { changes } = await response.json() as any;
  await wide.goto(`${desk.address}orders/life/${changes[0]?.order_id}`);
  await pause(5_000);
  await wide.screenshot({ path: '/tmp/shots/life-1920-light.png' });
  await page.goto(`${desk.address}orders`);
  await pause(6_000);
  const b = page.getByRole('button', { name: 'Completeness' });
  await b.first().click();
  desk.drop(FIRST_HALF);
  await page.getByText('INCOMPLETE').first().waitFor({ timeout: 60_000 });
  await pause(1000);
  await page.screenshot({ path: '/tmp/shots/incomplete-1280-dark.png' });
  await phone.screenshot({ path: '/tmp/shots/incomplete-390-light.png' });
  console.log('done');
} finally {
  await browser.close();
  await desk.stop();
}
