import { useState } from 'react';
import { useAction } from '#page/client/react/use-rules-api.ts';
import type { DeskAlerts, ShiftNote as Note } from '#contract/desk/alerts.ts';
import { EditConflict } from '#page/kit/edit-conflict.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './alerts.module.css';

/** What one shift leaves to the next, on top of the alerts, for all who may see all orders. */
export function ShiftNote({
  response: { shift_note: note, may_edit_shift_note: mayEdit },
}: {
  readonly response: Pick<DeskAlerts, 'shift_note' | 'may_edit_shift_note'>;
}) {
  const [edited, setEdited] = useState<{ readonly text: string; readonly before: number } | null>(null);
  if (!mayEdit) return null;
  const open = (): void => {
    setEdited({ text: note?.text ?? '', before: note?.version ?? 0 });
  };
  return (
    <section className={styles['shift']} aria-label="Shift note">
      {edited === null ? (
        <>
          <b>Shift note</b>
          <span className={styles['shiftText']}>{note === null || note.text === '' ? 'none' : note.text}</span>
          {note !== null && (
            <span className={styles['by']}>
              {note.by}, <Timestamp at={note.at} />
            </span>
          )}
          <button type="button" onClick={open}>
            Edit
          </button>
        </>
      ) : (
        <ShiftNoteForm
          {...edited}
          stored={note}
          rebase={(before) => {
            setEdited({ ...edited, before });
          }}
          close={() => {
            setEdited(null);
          }}
        />
      )}
    </section>
  );
}

interface ShiftNoteFormProps {
  readonly text: string;
  /** The version that was edited. */
  readonly before: number;
  readonly stored: Note | null;
  readonly rebase: (before: number) => void;
  readonly close: () => void;
}

function ShiftNoteForm({ text: first, before, stored, rebase, close }: ShiftNoteFormProps) {
  const { mutate, error, isPending } = useAction('putShiftNote');
  const [text, setText] = useState(first);
  const version = stored?.version ?? 0;
  const isConflict = version !== before;
  return (
    <form
      className={styles['shiftForm']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isConflict) mutate({ body: { text: text.trim(), before } }, { onSuccess: close });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <textarea
        aria-label="Shift note"
        autoFocus
        rows={3}
        maxLength={1_000}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
      />
      <button type="submit" disabled={isPending || isConflict}>
        Save note
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
      {isConflict && stored !== null ? (
        <EditConflict title={`${stored.by} has changed the shift note meanwhile.`} own="Yours is not saved.">
          <p>“{stored.text}”</p>
          <button
            type="button"
            onClick={() => {
              rebase(version);
            }}
          >
            Replace it with mine
          </button>
        </EditConflict>
      ) : (
        <ActionError error={error} />
      )}
    </form>
  );
}
