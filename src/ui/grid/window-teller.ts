import type { GridManner } from './grid-props.ts';
import type { LineWindow } from './grid-surface.ts';

/** What the screen around a grid wants to hear and how it wants it handled; each of its draws may replace it. */
export interface GridScreen<Row> {
  manner: GridManner<Row>;
}

const NEAR_SCREENS = 2;

/** Tells the screen which lines are in sight, and when the end comes near. */
export function createWindowTeller<Row>(screen: GridScreen<Row>): (window: LineWindow) => void {
  let toldNear: number | null = null;
  return ({ first, last, count }) => {
    const { onWindow, onNearEnd } = screen.manner;
    onWindow?.(first, last);
    const reach = NEAR_SCREENS * (last - first + 1);
    const near = count - last <= reach ? count : null;
    if (near === toldNear) return;
    toldNear = near;
    if (near !== null) onNearEnd?.();
  };
}
