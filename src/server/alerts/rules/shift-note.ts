import { VenueFailure } from '#server/core/venue-failure.ts';
import { toNote } from './muting.ts';
import type { Author } from './rule-registry.ts';
import type { RuleStore, StoredShiftNote } from './rule-store.ts';

/** What one shift leaves to the next: one note for all desks on the store. */
export interface ShiftNotes {
  readonly current: () => StoredShiftNote | null;
  /** Replaces the version `before`. Fails if there is another one, or if the author may not see all orders. */
  readonly put: (text: string, before: number, author: Author) => Promise<StoredShiftNote>;
  readonly reload: () => Promise<void>;
}

export function createShiftNotes(
  store: Pick<RuleStore, 'shiftNote' | 'putShiftNote'>,
  stored: StoredShiftNote | null,
  now: () => number,
): ShiftNotes {
  let current = stored;
  const reload = async (): Promise<void> => {
    current = await store.shiftNote();
  };
  return {
    current: () => current,
    put: async (text, before, { name, scope }) => {
      if (scope !== 'all')
        throw new VenueFailure({
          type: 'not-allowed',
          detail:
            'The shift note may name any account, so only people whose scope is all orders can change it. An ' +
            'administrator of this Perpdesk can grant that scope.',
        });
      const note = { text: toNote(text.trim()), by: name, at: now(), version: before + 1 };
      if (!(await store.putShiftNote(note))) {
        await reload();
        throw new VenueFailure({
          type: 'changed-meanwhile',
          detail: `The shift note has been changed by ${current?.by ?? 'someone'} meanwhile, so nothing was saved.`,
        });
      }
      current = note;
      return note;
    },
    reload,
  };
}
