import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { WORDS_FOLDER } from './collected-lists.ts';

/** Words that nobody in the field uses on a screen, and what only a person does. */
export const DIALECT = /\b(tell|tells|told|teller|hear|heard|asked|asks|of late|somebody|nobody|complain\w*|believed)\b/i;

/** Adds what a page shows to the list of all words, and fails for words that do not belong on a screen. */
export async function expectPlainWords(page: Page, place: string): Promise<void> {
  const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.replaceAll(/\d[\d,.:]*/g, '#').trim());
  const words = [...new Set(lines)].filter((line) => /\p{L}{2}/u.test(line));
  mkdirSync(WORDS_FOLDER, { recursive: true });
  writeFileSync(join(WORDS_FOLDER, `${place}.txt`), [`## ${place}`, ...words.toSorted(), '', ''].join('\n'));
  expect(words.filter((text) => DIALECT.test(text))).toEqual([]);
}
