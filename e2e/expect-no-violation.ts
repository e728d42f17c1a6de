import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks the page, or one part of it, against accessibility rules. */
export async function expectNoViolation(page: Page, exclude: readonly string[] = [], part?: string): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(RULES);
  if (part !== undefined) axe.include(part);
  for (const selector of exclude) axe.exclude(selector);
  const { violations } = await axe.analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`))).toEqual([]);
}
