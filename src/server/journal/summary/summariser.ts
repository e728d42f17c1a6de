import { fieldOf } from '#contract/parse/row-texts.ts';
import { setBounded } from '#server/core/maps.ts';
import { toText } from '#server/core/order-rows.ts';
import { type Change, fold, type Orders, type RowText } from '../segment/change.ts';
import { AT, type Cell, type Figure, FIGURES, type Summary, toLifeStep, toMinute, writtenTraitsOf } from './summary.ts';

/** Counts changes as they are recorded. */
interface Summariser {
  /** Must be given changes in reading order. */
  readonly add: (changes: readonly Change[]) => void;
  /** Returns the ended or returned orders whose change to `gone` is not known here. */
  readonly strangers: (changes: readonly Change[]) => readonly Change[];
  readonly remember: (gone: Change) => void;
  readonly summary: () => Summary;
  /** Starts a new count. */
  readonly restart: () => void;
}

/** As many as are looked up in the order history. */
const MAX_GONE = 10_000;
/** These fields change when the sender modifies the order, not through fills. */
const MODIFIED_FIELDS = ['price', 'quantity_requested', 'time_in_force'] as const;

/** Creates a summariser. `orders` are the rows before the first change; they are updated with the changes. */
export function createSummariser(orders: Orders): Summariser {
  const gone = new Map<string, Change>();
  let cells = createCells();
  const remember = (change: Change): void => {
    setBounded(gone, change.id, change, MAX_GONE);
  };
  const count = (change: Change): void => {
    const { kind, id, to, row } = change;
    const cell = cells.of(to, row);
    if (kind === 'seen') countSeen(cell, change);
    if (kind === 'changed') countChanged(cell, orders.get(id), row);
    if (kind === 'gone') {
      bump(cell, 'gone');
      remember(change);
    }
    if (kind === 'ended') {
      bump(cell, 'ended');
      const last = gone.get(id);
      if (last !== undefined) countOutcome(cells.of(last.to, last.row), last.row, row);
      gone.delete(id);
    }
    if (kind === 'returned') {
      bump(cell, 'returned');
      const last = gone.get(id);
      if (last !== undefined) {
        // What the order history showed as closed stays counted, together with its outcome.
        if (last.kind === 'gone') bump(cells.of(last.to, last.row), 'takenBack');
        countFill(cell, last.row, row);
      }
      gone.delete(id);
    }
    if (kind === 'passed') {
      countPassed(cell, row);
      remember(change);
    }
    fold(orders, [change]);
  };
  return {
    add: (changes) => {
      for (const change of changes) count(change);
    },
    strangers: (changes) => {
      const known = new Set(gone.keys());
      return changes.filter(({ kind, id }) => {
        if (kind === 'gone' || kind === 'passed') known.add(id);
        return (kind === 'ended' || kind === 'returned') && !known.has(id);
      });
    },
    remember,
    summary: () => cells.summary,
    restart: () => {
      cells = createCells();
    },
  };
}

function createCells() {
  const places = new Map<string, number>();
  const minutes = new Map<number, Map<number, Cell>>();
  const summary = { traits: [] as (readonly string[])[], cells: [] as Cell[] };
  const placeOf = (row: RowText): number => {
    const written = writtenTraitsOf(row);
    const name = written.join('\n');
    const known = places.get(name);
    if (known !== undefined) return known;
    const place = summary.traits.push(written.map(toText)) - 1;
    places.set(name, place);
    return place;
  };
  return {
    summary,
    of: (instant: number, row: RowText): Cell => {
      const [minute, place] = [toMinute(instant), placeOf(row)];
      const ofMinute = minutes.get(minute) ?? new Map<number, Cell>();
      minutes.set(minute, ofMinute);
      const known = ofMinute.get(place);
      if (known !== undefined) return known;
      const cell = { minute, place, figures: FIGURES.map(() => 0), lives: [] };
      ofMinute.set(place, cell);
      summary.cells.push(cell);
      return cell;
    },
  };
}

function bump({ figures }: Cell, figure: Figure, by = 1): void {
  figures[AT[figure]] = (figures[AT[figure]] ?? 0) + by;
}

function countSeen(cell: Cell, { from, row }: Change): void {
  if (from === null) {
    bump(cell, 'found');
    return;
  }
  bump(cell, 'placed');
  const quantities = quantitiesOf(row);
  if (quantities === null) bump(cell, 'unmeasured');
  else {
    bump(cell, 'quantityPlaced', quantities.requested);
    bump(cell, 'quantityFilledBefore', quantities.filled);
  }
}

function countChanged(cell: Cell, before: RowText | undefined, row: RowText): void {
  bump(cell, 'changed');
  if (before === undefined) return;
  if (MODIFIED_FIELDS.some((field) => fieldOf(before, field) !== fieldOf(row, field))) bump(cell, 'modified');
  countFill(cell, before, row);
}

function countFill(cell: Cell, before: RowText, row: RowText): void {
  const [old, next] = [quantitiesOf(before), quantitiesOf(row)];
  if (old === null || next === null) bump(cell, 'unmeasured');
  else countFilled(cell, next.filled - old.filled);
}

function countFilled(cell: Cell, quantity: number): void {
  if (quantity <= 0) return;
  bump(cell, 'fills');
  bump(cell, 'quantityFilled', quantity);
}

/** Counts an order that came and went between two readings: all its fills count as one. */
function countPassed(cell: Cell, row: RowText): void {
  bump(cell, 'passed');
  const quantities = quantitiesOf(row);
  if (quantities === null) bump(cell, 'unmeasured');
  else {
    bump(cell, 'quantityPlaced', quantities.requested);
    countFilled(cell, quantities.filled);
  }
  countEnd(cell, row);
}

/**
 * Counts how an order ended. The last fill counts in the minute in which the order was gone, however much later the
 * order history was read.
 */
function countOutcome(cell: Cell, last: RowText, row: RowText): void {
  countFill(cell, last, row);
  countEnd(cell, row);
}

function countEnd(cell: Cell, row: RowText): void {
  const life = lifeOf(row);
  if (life !== null) cell.lives.push(toLifeStep(life));
  const quantities = quantitiesOf(row);
  if (quantities === null) return;
  const { requested, filled } = quantities;
  bump(cell, filled === 0 ? 'unfilled' : filled < requested ? 'partly' : 'filled');
  bump(cell, 'quantityEnded', requested);
  bump(cell, 'quantityEndedFilled', filled);
}

interface Quantities {
  readonly requested: number;
  readonly filled: number;
}

function quantitiesOf(row: RowText): Quantities | null {
  const [requested, filled] = [Number(fieldOf(row, 'quantity_requested')), Number(fieldOf(row, 'quantity_filled'))];
  return isQuantity(requested) && isQuantity(filled) ? { requested, filled } : null;
}

function isQuantity(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Returns the life by the exchange’s clock, from acceptance to the last change, in milliseconds. */
function lifeOf(row: RowText): number | null {
  const life = instantOf(row, 'last_modified') - instantOf(row, 'time');
  return life >= 0 ? life : null;
}

function instantOf(row: RowText, field: string): number {
  return Date.parse(fieldOf(row, field)?.slice(1, -1) ?? '');
}
