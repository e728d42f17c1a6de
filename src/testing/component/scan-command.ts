import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserCommand } from 'vitest/node';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the theme and the palette. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns which accessibility rules are broken by the page of the tests, or by the part that a selector matches. */
export const scan: BrowserCommand<[part: string, coloursOnly: boolean]> = async (context, part, coloursOnly) => {
  const tests = await context.frame();
  // Run from the page around the tests, axe would send all that passed from frame to frame, which takes most of the time.
  const page = { evaluate: tests.evaluate.bind(tests), frames: () => [] } as unknown as typeof context.page;
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], preload: { assets: ['media'] } })
    .setLegacyMode();
  if (coloursOnly) axe.withRules(COLOUR_RULES);
  else axe.withTags(RULES);
  const { violations } = await axe.include(part).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
};
