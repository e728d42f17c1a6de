import type { Day } from '#contract/exchange/instant.ts';
import { type Anchor, type Drawing, inOrder } from './drawing.ts';
import { barOf, type Bars, dayAt } from './place-drawings.ts';

/** Bars with the session at which something is placed on each. */
export interface DatedBars extends Bars {
  readonly dates: readonly Day[];
}

interface Movement {
  readonly bars: number;
  readonly ticks: number;
}

export function toMovement(from: Anchor, to: Anchor, bars: Bars): Movement {
  return { bars: barOf(to.date, bars) - barOf(from.date, bars), ticks: to.ticks - from.ticks };
}

/**
 * Moves a drawing, or only one of its points. A point keeps its session unless it moves to another bar, and a horizontal
 * line always does.
 */
export function moveDrawing(drawing: Drawing, by: Movement, bars: DatedBars, place: number | null = null): Drawing {
  const isFixed = drawing.kind === 'level' || by.bars === 0;
  const points = drawing.points.map(({ date, ticks }, index) =>
    place !== null && place !== index
      ? { date, ticks }
      : { date: isFixed ? date : sessionAt(barOf(date, bars) + by.bars, bars), ticks: ticks + by.ticks },
  );
  return { ...drawing, points: inOrder(points) };
}

function sessionAt(bar: number, bars: DatedBars): Day {
  return bars.dates[bar] ?? dayAt(bar, bars);
}
