import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';

it.each(['/price/PBTCUCZ50', '/volume/PBTCUCZ50'])(
  'has room in the toolbar of %s for its dates, which move nothing',
  async (address) => {
    await open(address);
    await expect.element(page.getByRole('application').getBySelector('canvas').first()).toBeVisible();
    const toolbar = (): DOMRect | undefined => document.querySelector('h1')?.parentElement?.getBoundingClientRect();
    const before = toolbar();
    await page.getByRole('radio', { name: 'Custom' }).click();
    await expect.element(page.getByRole('textbox', { name: 'From', exact: true })).toBeVisible();
    expect(toolbar()).toEqual(before);
  },
);
