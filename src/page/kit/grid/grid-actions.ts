import { type Copy, copySelection, describeCopy, describeRange, describeSelection } from './copy-cells.ts';
import { step, type GridCommand } from './grid-keys.ts';
import { filterColumn, type GridCell, type GridEvents, toggleGroup } from './grid-props.ts';
import { moveColumn, resizeColumn, sortByColumn } from './change-columns.ts';
import { toFilterLike } from '#model/tables/row-filter.ts';
import type { GridHost, GridSurface } from './grid-surface.ts';

const RESIZE_PX = 16;
/** Interactive elements in a cell. */
export const WIDGETS = 'a[href], button';

/** Applies commands of keyboard and pointer to a surface, and reports them to the screen. */
export class GridActions<Row> {
  readonly surface: GridSurface<Row>;
  readonly #host: GridHost<Row>;

  constructor(surface: GridSurface<Row>, host: GridHost<Row>) {
    this.surface = surface;
    this.#host = host;
  }

  get events(): GridEvents<Row> {
    return this.#host.options;
  }

  /** Returns the row and column that a cell shows; null on a header, or without a row. */
  placeAt(cell: HTMLElement | null): GridCell<Row> | null {
    const { scene } = this.surface;
    const spot = this.surface.spotOf(cell);
    const row = spot === null ? undefined : scene.rows.rowAt(spot.line);
    const column = scene.plan.columns[spot?.place ?? -1]?.column;
    return row === undefined || column === undefined || cell === null ? null : { row, column, element: cell };
  }

  toggleSelected(line: number): void {
    const { cursor, scene } = this.surface;
    const key = scene.rows.keyAt(line);
    if (key === undefined) return;
    cursor.toggle(key);
    this.surface.draw();
  }

  /** Selects the rows of the cell range, else those from the last toggled row to this line. */
  selectTo(line: number): void {
    const { cursor, scene } = this.surface;
    const anchor = cursor.rowAnchor === null ? -1 : scene.rows.lineOf(cursor.rowAnchor, line);
    const from = cursor.range?.firstLine ?? (anchor < 0 ? line : Math.min(anchor, line));
    const to = cursor.range?.lastLine ?? Math.max(anchor, line);
    const keys: string[] = [];
    let missing = 0;
    for (let at = Math.max(0, from); at <= to; at++) {
      const key = scene.rows.keyAt(at);
      if (scene.rows.groupAt(at) !== undefined) continue;
      if (key === undefined) missing += 1;
      else keys.push(key);
    }
    cursor.add(keys);
    this.events.onAnnounce?.(describeSelection(cursor.selected.size, missing));
    this.surface.draw();
  }

  #announceRange(): void {
    const { range } = this.surface.cursor;
    if (range !== null) this.events.onAnnounce?.(describeRange(range));
  }

  drop(): void {
    this.surface.cursor.drop();
    this.surface.draw();
  }

  open(line: number): void {
    const { rows, state, table } = this.surface.scene;
    const group = rows.groupAt(line);
    const row = rows.rowAt(line);
    if (group !== undefined) table.set(toggleGroup(state, group.key));
    else if (row !== undefined) this.events.onOpen?.(row);
  }

  /** Clicks the link or button in the active cell; else opens its row. */
  #openActive(): void {
    const { active, cursor } = this.surface;
    // Where Space ticks, the only button in a cell is the tick box.
    const widget = this.events.onTick ? null : active?.querySelector<HTMLElement>(WIDGETS);
    if (widget) widget.click();
    else this.open(cursor.spot.line);
  }

  /** Filters a column by the value of a row, or removes that filter again. */
  #filterLike({ row, column }: GridCell<Row>): void {
    const { state, table } = this.surface.scene;
    const like = toFilterLike(column, row);
    const same = JSON.stringify(state.filters[column.id]) === JSON.stringify(like);
    table.set(filterColumn(state, column.id, same ? null : like));
  }

  /** Returns the text for the clipboard; null if there is nothing to copy. */
  copied(): Copy | null {
    const copy = copySelection(this.surface.cursor, this.surface.scene);
    if (copy === null) return null;
    this.events.onAnnounce?.(describeCopy(copy));
    return copy;
  }

  /** Returns whether the command had an effect. */
  run(command: GridCommand): boolean {
    const { cursor, scene, active } = this.surface;
    const { spot } = cursor;
    const planned = scene.plan.columns[spot.place];
    if (command.type === 'move') return this.#move(command);
    if (planned === undefined) return false;
    const { column, width } = planned;
    switch (command.type) {
      case 'select':
        if (this.events.onTick) this.events.onTick(this.surface.activeRows);
        else if (active?.querySelector('button')) this.#openActive();
        else if (scene.rows.groupAt(spot.line) !== undefined) this.open(spot.line);
        else if (command.extends) this.selectTo(spot.line);
        else this.toggleSelected(spot.line);
        return true;
      case 'sort':
        sortByColumn(scene.table, column.id, command.adds);
        return true;
      case 'resize':
        resizeColumn(scene.table, column.id, width + command.step * RESIZE_PX);
        return true;
      case 'moveColumn':
        moveColumn(scene.table, column.id, command.step);
        return true;
      default:
        return this.#runPlain(command.type);
    }
  }

  #move({ to, extends: extend }: Extract<GridCommand, { type: 'move' }>): boolean {
    const { cursor, scene, linesInSight } = this.surface;
    const group = scene.rows.groupAt(cursor.spot.line);
    if (group !== undefined && !extend && cursor.spot.place === 0 && to === (group.open ? 'left' : 'right')) {
      this.open(cursor.spot.line);
      return true;
    }
    const size = { lines: scene.rows.count, columns: scene.plan.columns.length, page: linesInSight - 1 };
    this.surface.moveTo(step(to, cursor.spot, size, extend ? 0 : -1), extend);
    if (extend) this.#announceRange();
    return true;
  }

  #runPlain(type: GridCommand['type']): boolean {
    const { cursor, scene, active } = this.surface;
    const at = this.placeAt(active);
    switch (type) {
      case 'open':
        this.#openActive();
        return true;
      case 'filter':
        if (at !== null) this.#filterLike(at);
        return at !== null;
      case 'explain':
        if (at !== null) this.events.onExplain?.(at);
        return at !== null;
      case 'all':
        cursor.selectAll(scene.rows, scene.plan);
        this.#announceRange();
        this.surface.draw();
        return true;
      case 'menu':
        return this.#openMenu();
      case 'drop':
        if (cursor.range === null && cursor.selected.size === 0) return false;
        this.drop();
        return true;
      default:
        return false;
    }
  }

  #openMenu(): boolean {
    const { cursor, scene, active } = this.surface;
    const id = scene.plan.columns[cursor.spot.place]?.column.id;
    if (id === undefined || active === null || this.events.onColumnMenu === undefined) return false;
    this.events.onColumnMenu(id, active);
    return true;
  }
}
