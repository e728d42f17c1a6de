import { randomBytes } from 'node:crypto';
import { setBounded } from '#server/core/bounded-map.ts';
import { toCursor, toSmallFrame, type Frame } from './frame.ts';

/** A number that grows with each change of what streams are sent. */
export type Tick = number;

export interface Cursor {
  readonly tick: Tick;
  /** From it on, a stream that breaks off can be resumed. */
  readonly frame: Frame;
}

/** Names for ticks that say nothing about them: neither how many there were, nor which of two is the later one. */
export interface Cursors {
  readonly next: () => Cursor;
  readonly current: () => Cursor;
  /** Null for a name of another process, or from too long ago. */
  readonly toTick: (id: string) => Tick | null;
}

const ID_BYTES = 12;
const MAX_CURSORS = 4_096;

export function createCursors(): Cursors {
  const ticks = new Map<string, Tick>();
  const create = (tick: Tick): Cursor => {
    const id = randomBytes(ID_BYTES).toString('base64url');
    setBounded(ticks, id, tick, MAX_CURSORS);
    return { tick, frame: toSmallFrame(toCursor(id)) };
  };
  let current = create(0);
  return {
    next: () => (current = create(current.tick + 1)),
    current: () => current,
    toTick: (id) => ticks.get(id) ?? null,
  };
}
