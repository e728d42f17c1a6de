import { INKS, type Ink } from '#model/charts/picture.ts';

/** Colours and font for a canvas, which cannot use CSS variables. */
export interface Paints {
  readonly inks: Readonly<Record<Ink, string>>;
  readonly text: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly raised: string;
  readonly background: string;
  readonly fontFamily: string;
}

/** Resolves the colour tokens of the page under the current theme and palette; those of a panel are others while it is stale. */
export function readPaints(): Paints {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colorOf = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const paints: Paints = {
    inks: Object.fromEntries(INKS.map((ink) => [ink, colorOf(ink)])) as Record<Ink, string>,
    text: colorOf('muted'),
    line: colorOf('line'),
    lineStrong: colorOf('line-strong'),
    raised: colorOf('raised'),
    background: colorOf('background'),
    fontFamily: getComputedStyle(probe).fontFamily,
  };
  probe.remove();
  return paints;
}
