export interface Message {
  readonly text: string;
  /** Interrupts what is being read: only for what is stale or incomplete. */
  readonly urgent: boolean;
}

export type Announce = (text: string, urgent?: boolean) => void;

/** Says one message at a time, with a pause after each; of those in between only the last, an urgent one before all others. */
export function createAnnouncer(say: (message: Message) => void, afterPause: (step: () => void) => void): Announce {
  let waiting: Message | null = null;
  let busy = false;
  const tell = (message: Message): void => {
    busy = true;
    say(message);
    afterPause(() => {
      const next = waiting;
      waiting = null;
      busy = false;
      if (next !== null) tell(next);
    });
  };
  return (text, urgent = false) => {
    if (!busy) tell({ text, urgent });
    else if (urgent || waiting?.urgent !== true) waiting = { text, urgent };
  };
}
