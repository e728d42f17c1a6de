import type { Tick } from './cursors.ts';
import type { Frame } from './frame.ts';

interface Entry {
  readonly tick: Tick;
  readonly frame: Frame;
}

/** The last changes of a topic, for streams that broke off or fell behind. */
export interface ChangeLog {
  readonly append: (tick: Tick, frame: Frame) => void;
  /** The changes after a tick; null where some of them are no longer there. */
  readonly after: (tick: Tick) => readonly Frame[] | null;
  /** Nothing before this tick counts any more. */
  readonly restart: (tick: Tick) => void;
}

/** Beyond it, a snapshot is hardly larger than the changes. */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** What an entry takes beside its bytes, so that many small ones are bounded as well. */
const OWN_BYTES = 512;

export function createChangeLog(): ChangeLog {
  let entries: Entry[] = [];
  let bytes = 0;
  /** All changes after this tick are there. */
  let since: Tick = Infinity;
  return {
    append: (tick, frame) => {
      entries.push({ tick, frame });
      bytes += sizeOf(frame);
      let dropped = 0;
      for (const oldest of entries) {
        if (bytes <= MOST_BYTES) break;
        bytes -= sizeOf(oldest.frame);
        since = oldest.tick;
        dropped += 1;
      }
      if (dropped > 0) entries.splice(0, dropped);
    },
    after: (tick) => (tick < since ? null : entries.filter((entry) => entry.tick > tick).map(({ frame }) => frame)),
    restart: (tick) => {
      entries = [];
      bytes = 0;
      since = tick;
    },
  };
}

function sizeOf({ plain, packed }: Frame): number {
  return plain.byteLength + packed.byteLength + OWN_BYTES;
}
