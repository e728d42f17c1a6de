import { INKS, type Ink } from './picture.ts';

/** What a canvas is painted with: it cannot read the style sheet itself. */
export interface Paints {
  readonly inks: Readonly<Record<Ink, string>>;
  readonly text: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly raised: string;
  readonly background: string;
  readonly fontFamily: string;
}

/** Reads the tokens that hold for an element now, by its theme and palette, as plain colours. */
export function readPaints(host: HTMLElement): Paints {
  const probe = document.createElement('span');
  host.append(probe);
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
