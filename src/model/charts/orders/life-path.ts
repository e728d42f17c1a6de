import type { LifeLine, LifeSpan, LifeStep } from '../../orders/order-life.ts';

export const PLOT = { width: 1_000, height: 100 } as const;

/** Returns how far along the line a time is, from 0 to 1. */
export function toShare(at: number, { start, end }: Pick<LifeLine, 'start' | 'end'>): number {
  // The line of an order that was first seen a moment ago has no length yet.
  if (end <= start) return at > start ? 1 : 0;
  return Math.min(1, Math.max(0, (at - start) / (end - start)));
}

/** Draws the steps of one quantity. A withheld value interrupts the path. */
export function toStepPath(span: LifeSpan, line: LifeLine, read: (step: LifeStep) => number | null): string {
  const x = (at: number): string => (toShare(at, line) * PLOT.width).toFixed(1);
  let path = '';
  let isDrawn = false;
  for (const [place, step] of span.steps.entries()) {
    const value = read(step);
    if (value !== null) {
      const y = (PLOT.height - (value / line.most) * PLOT.height).toFixed(1);
      const until = span.steps[place + 1]?.at ?? (span.isOpen ? Infinity : span.end);
      path += `${isDrawn ? '' : `M${x(step.at)} ${y}`}V${y}H${x(until)}`;
    }
    isDrawn = value !== null;
  }
  return path;
}

/** Closes each piece of the path on the axis, to be filled. */
export function toArea(path: string): string {
  return path
    .split('M')
    .filter((part) => part !== '')
    .map(
      (part) =>
        `M${part.split(' ')[0] ?? ''} ` +
        `${String(PLOT.height)}V${part.slice(part.indexOf(' ') + 1)}V${String(PLOT.height)}Z`,
    )
    .join('');
}
