import { toEntries } from './legend-entries.ts';
import type { Ink, Pane, Picture, Readout } from '#model/charts/picture.ts';

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly stroke?: Readout['stroke'] | undefined;
}

/** Heading of an exported image. */
export interface PictureText {
  readonly title: string;
  /** Source, range and time of the data. */
  readonly origin?: string | undefined;
  /** Absent where the image names its colours itself. */
  readonly legend?: readonly LegendEntry[];
  readonly summary: string;
}

interface TextParts extends Pick<PictureText, 'title' | 'origin' | 'summary'> {
  readonly isHidden: ((name: string) => boolean) | undefined;
  readonly colorOf: (ink: Ink) => string;
}

export function toPictureText(
  { panes, readouts }: Picture,
  { title, origin, summary, isHidden, colorOf }: TextParts,
): PictureText {
  return {
    title,
    origin,
    legend: [...toEntries(readouts)].flatMap(([name, [{ ink, stroke }]]) =>
      ink === undefined || isHidden?.(name) === true ? [] : [{ name, color: colorOf(ink), stroke }],
    ),
    summary: describePanes(panes) + summary,
  };
}

/** From the top. */
function describePanes(panes: readonly Pane[]): string {
  const named = panes.flatMap(({ name, unit }) => (unit === '' ? [] : `${name} in ${unit}`));
  return named.length === 0 ? '' : `${named.join(', ')}. `;
}
