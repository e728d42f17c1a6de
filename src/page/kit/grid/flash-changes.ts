import { flash } from '../flash/flash.ts';
import type { Listen } from './grid-pointer.ts';
import type { GridSurface } from './grid-surface.ts';
import type { RowElement } from './row-element.ts';

/** Flashes figures that a refresh has changed: never those that only come into sight, by scrolling, sorting or filtering. */
export function flashChanges<Row>(surface: GridSurface<Row>, on: Listen): void {
  let rows = surface.scene.rows;
  const running = new Map<Animation, { readonly shown: RowElement<Row>; readonly key: string }>();
  /** Elements are recycled: the flash of a row does not go on in another. */
  const stopMoved = (): void => {
    for (const [animation, { shown, key }] of running) if (rows.keyAt(shown.line) !== key) animation.cancel();
  };
  const flashRow = (shown: RowElement<Row>, before: Row, key: string): void => {
    for (const [index, { column }] of surface.drawn.entries()) {
      const cell = shown.cells[index];
      if (column.flashes !== true || cell === undefined || shown.row === undefined) continue;
      const animation = flash(cell, toFigure(column.value(before)), toFigure(column.value(shown.row)));
      if (animation === null) continue;
      running.set(animation, { shown, key });
      animation.onfinish = animation.oncancel = () => running.delete(animation);
    }
  };
  surface.onShown.add(() => {
    const before = rows;
    rows = surface.scene.rows;
    if (rows === before) return;
    stopMoved();
    if (rows.arrangement !== before.arrangement || !surface.drawn.some(({ column }) => column.flashes)) return;
    for (const shown of surface.rowElements) {
      const key = rows.keyAt(shown.line);
      const known = key === undefined ? undefined : before.rowAt(before.lineOf(key, shown.line));
      if (key !== undefined && known !== undefined && known !== shown.row) flashRow(shown, known, key);
    }
  });
  on('scroll', stopMoved);
}

function toFigure(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
