export interface Message {
  readonly text: string;
  /** Interrupts the current announcement: only for stale or incomplete data. */
  readonly urgent: boolean;
}

export type Announce = (text: string, urgent?: boolean) => void;

/** One message at a time, with a pause after each; of those that arrive meanwhile only the last is kept, urgent ones first. */
export function createAnnouncer(show: (message: Message) => void, afterPause: (step: () => void) => void): Announce {
  let waiting: Message | null = null;
  let busy = false;
  const announce = (message: Message): void => {
    busy = true;
    show(message);
    afterPause(() => {
      const next = waiting;
      waiting = null;
      busy = false;
      if (next !== null) announce(next);
    });
  };
  return (text, urgent = false) => {
    if (!busy) announce({ text, urgent });
    else if (urgent || waiting?.urgent !== true) waiting = { text, urgent };
  };
}
