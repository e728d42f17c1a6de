import type { GridOptions } from './grid-props.ts';
import type { LineWindow } from './grid-surface.ts';

/** The options of the screen around a grid, replaced at each of its renders. */
export interface GridHost<Row> {
  options: GridOptions<Row>;
}

const NEAR_SCREENS = 2;

/** Reports the visible lines to the screen, and when the end is near. */
export function createWindowReporter<Row>(host: GridHost<Row>): (window: LineWindow) => void {
  let reportedNear: number | null = null;
  return ({ first, last, count }) => {
    const { onWindow, onNearEnd } = host.options;
    onWindow?.(first, last);
    const reach = NEAR_SCREENS * (last - first + 1);
    const near = count - last <= reach ? count : null;
    if (near === reportedNear) return;
    reportedNear = near;
    if (near !== null) onNearEnd?.();
  };
}
