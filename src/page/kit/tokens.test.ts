import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** Returns each colour token as [light, dark]. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

function colourOf(name: string, theme: 'light' | 'dark'): string {
  const colour = colours.get(name);
  if (colour === undefined) throw new Error(`There is no colour --${name}.`);
  return colour[theme];
}

/** Computes relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const surfaces = ['background', 'surface', 'raised', 'unseen', 'past-background', 'past-surface', 'past-raised'];
const inks = [
  'text',
  'muted',
  'faint',
  'accent',
  'bid',
  'ask',
  'green',
  'red',
  'blue',
  'orange',
  'good',
  'attention',
  'failed',
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each(inks.flatMap((ink) => surfaces.map((surface) => [ink, surface] as const)))(
    '%s can be read on %s',
    (ink, surface) => {
      expect(contrast(colourOf(ink, theme), colourOf(surface, theme))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('text on the accent colour has enough contrast', () => {
    expect(contrast(colourOf('on-accent', theme), colourOf('accent', theme))).toBeGreaterThanOrEqual(4.5);
  });

  it('text can be read where it is marked as found', () => {
    expect(contrast(colourOf('text', theme), colourOf('found', theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['longs-pay', 'shorts-pay'])('%s contrasts with the page', (fill) => {
    expect(contrast(colourOf(fill, theme), colourOf('background', theme))).toBeGreaterThanOrEqual(3);
  });

  it('side and direction never share a colour', () => {
    const sides = ['bid', 'ask'].map((name) => colourOf(name, theme));
    for (const direction of ['green', 'red', 'blue', 'orange']) expect(sides).not.toContain(colourOf(direction, theme));
  });
});

it('every palette shows directions in inks whose contrast is tested', () => {
  const used = [...css.matchAll(/--(?:up|down): var\(--([\w-]+)\);/g)].map(([, ink]) => ink);
  expect(used).toHaveLength(8);
  expect(inks).toEqual(expect.arrayContaining(used));
});

it('the contrast formula agrees with published examples', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('theme-color matches the colour of the header', () => {
  const page = readFileSync(new URL('../../../index.html', import.meta.url), 'utf8');
  for (const theme of ['light', 'dark'] as const) {
    expect(page).toContain(`content="${colourOf('surface', theme)}" media="(prefers-color-scheme: ${theme})"`);
  }
});

it('every colour is defined for both themes', () => {
  const written = [...css.matchAll(/--[\w-]+: [^;]*#[^;]*;/g)].length;
  expect(written).toBe(colours.size);
});
