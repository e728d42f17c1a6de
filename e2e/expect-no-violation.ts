import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The page, or the part of it that is named, keeps nobody out, as far as rules can tell; `exclude` is what need not be looked at. */
export async function expectNoViolation(page: Page, exclude: readonly string[] = [], part?: string): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(RULES);
  if (part !== undefined) axe.include(part);
  for (const selector of exclude) axe.exclude(selector);
  const { violations } = await axe.analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`))).toEqual([]);
}
