export interface Message {
  readonly text: string;
  /** Interrupts the current announcement: only for stale or incomplete data. */
  readonly urgent: boolean;
}

export type Announce = (text: string, urgent?: boolean) => void;

/** One message at a time, with a pause after each. Of those that arrive meanwhile the last urgent one follows, then the last other one. */
export function createAnnouncer(show: (message: Message) => void, afterPause: (step: () => void) => void): Announce {
  const waiting: { urgent: string | null; other: string | null } = { urgent: null, other: null };
  let busy = false;
  const takeNext = (): Message | null => {
    const [which, text] =
      waiting.urgent === null ? (['other', waiting.other] as const) : (['urgent', waiting.urgent] as const);
    waiting[which] = null;
    return text === null ? null : { text, urgent: which === 'urgent' };
  };
  const announce = (message: Message): void => {
    busy = true;
    show(message);
    afterPause(() => {
      const next = takeNext();
      busy = false;
      if (next !== null) announce(next);
    });
  };
  return (text, urgent = false) => {
    if (!busy) announce({ text, urgent });
    else waiting[urgent ? 'urgent' : 'other'] = text;
  };
}
