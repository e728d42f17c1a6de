import type { CSSProperties } from 'react';
import type { Ink } from './picture.ts';

/** The colour of a swatch. Set as a property of the element, which the page's policy allows; a style in the markup it would not. */
export function inkVariable(ink: Ink): CSSProperties {
  return { '--swatch': `var(--${ink})` } as CSSProperties;
}
