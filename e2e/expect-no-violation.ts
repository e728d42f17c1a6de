import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the theme and the palette. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

export interface ScanOptions {
  /** Selectors of what is not scanned. */
  readonly exclude?: readonly string[];
  /** Selector of the only part to scan. */
  readonly part?: string;
  /**
   * Whether to apply only the rules about colour, for a screen that was fully scanned at this width in another theme.
   */
  readonly coloursOnly?: boolean;
}

/** Expects the page, or a part of it, to break no accessibility rule. */
export async function expectNoViolation(
  page: Page,
  { exclude = [], part, coloursOnly = false }: ScanOptions = {},
): Promise<void> {
  // Collecting what passes takes most of the time. None of these rules reads the style sheets that axe would copy
  // first. The page has no frames of another origin, which legacy mode would miss.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], preload: { assets: ['media'] } })
    .setLegacyMode();
  if (coloursOnly) axe.withRules(COLOUR_RULES);
  else axe.withTags(RULES);
  if (part !== undefined) axe.include(part);
  for (const selector of exclude) axe.exclude(selector);
  const { violations } = await axe.analyze();
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
    ),
  ).toEqual([]);
}
