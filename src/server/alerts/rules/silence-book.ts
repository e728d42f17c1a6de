import type { SilenceMatch } from '#contract/desk/alerts.ts';
import { describeMistakes } from '#server/core/describe-mistakes.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { RuleStore, StoredSilence } from './rule-store.ts';

export interface SilenceBook {
  readonly all: () => readonly StoredSilence[];
  readonly add: (silence: {
    readonly match: SilenceMatch;
    readonly until: number;
    readonly note: string;
    readonly by: string;
  }) => Promise<StoredSilence>;
  /** One that may not be ended does not exist for who ends it. */
  readonly end: (id: string, mayEnd: (silence: StoredSilence) => boolean) => Promise<void>;
  readonly reload: () => Promise<void>;
}

const MOST_SILENCES = 500;
const LONGEST_NOTE = 1_000;

export function createSilenceBook(
  store: Pick<RuleStore, 'silences' | 'putSilence' | 'dropSilences'>,
  stored: readonly StoredSilence[],
  ports: { readonly now: () => number; readonly newId: () => string },
): SilenceBook {
  let silences = [...stored];
  const dropOver = async (): Promise<void> => {
    const over = silences.filter(({ until }) => until <= ports.now());
    if (over.length > 0) await store.dropSilences(over.map(({ id }) => id));
    silences = silences.filter((silence) => !over.includes(silence));
  };
  return {
    all: () => silences,
    add: async ({ match, until, note, by }) => {
      const at = ports.now();
      if (Number.isNaN(until) || until <= at) throw wrong('until', 'must be in the future');
      await dropOver();
      if (silences.length >= MOST_SILENCES)
        throw wrong('match', `must not make more than ${String(MOST_SILENCES)} silences`);
      const silence = { id: ports.newId(), match, until, by, at, note: toNote(note) };
      await store.putSilence(silence);
      silences = [...silences, silence];
      return silence;
    },
    end: async (id, mayEnd) => {
      if (!silences.some((silence) => silence.id === id && mayEnd(silence)))
        throw new VenueFailure({ type: 'bad-parameter', detail: `There is no silence "${id}".`, parameter: 'id' });
      await store.dropSilences([id]);
      silences = silences.filter((silence) => silence.id !== id);
    },
    reload: async () => {
      silences = [...(await store.silences())];
    },
  };
}

export function toNote(note: string): string {
  if (note.length > LONGEST_NOTE) throw wrong('note', `must be ${String(LONGEST_NOTE)} characters at most`);
  return note;
}

function wrong(field: string, detail: string): VenueFailure {
  return new VenueFailure({
    type: 'bad-body',
    detail: describeMistakes(1, `$.${field}`),
    errors: [{ path: `$.${field}`, detail }],
  });
}
