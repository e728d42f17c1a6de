import type { LifeLine, LifeSpan, LifeStep } from '../../orders/order-life.ts';

export const PLOT = { width: 1_000, height: 100 } as const;

/** Where a time is along the line, from 0 to 1. */
export function toShare(at: number, { start, end }: Pick<LifeLine, 'start' | 'end'>): number {
  // Of an order that has just been seen, the line has no length in time yet.
  if (end <= start) return at > start ? 1 : 0;
  return Math.min(1, Math.max(0, (at - start) / (end - start)));
}

/** The steps of one quantity, a part for each run without a withheld value. */
export function toStepPath(span: LifeSpan, line: LifeLine, read: (step: LifeStep) => number | null): string {
  const x = (at: number): string => (toShare(at, line) * PLOT.width).toFixed(1);
  let path = '';
  let isDrawn = false;
  for (const [place, step] of span.steps.entries()) {
    const value = read(step);
    if (value !== null) {
      const y = (PLOT.height - (value / line.most) * PLOT.height).toFixed(1);
      path += `${isDrawn ? '' : `M${x(step.at)} ${y}`}V${y}H${x(span.steps[place + 1]?.at ?? (span.isOpen ? Infinity : span.end))}`;
    }
    isDrawn = value !== null;
  }
  return path;
}

/** Below the steps, to be filled; each of its parts ends on the axis. */
export function toArea(path: string): string {
  return path
    .split('M')
    .filter((part) => part !== '')
    .map(
      (part) =>
        `M${part.split(' ')[0] ?? ''} ${String(PLOT.height)}V${part.slice(part.indexOf(' ') + 1)}V${String(PLOT.height)}Z`,
    )
    .join('');
}
