import { useState } from 'react';
import { MOST_NOTE } from '#model/charts/drawings/drawing.ts';

interface NoteFormProps {
  readonly label: string;
  readonly save: (text: string) => void;
  readonly cancel: () => void;
}

/** Takes the words of a note that has been placed. */
export function NoteForm({ label, save, cancel }: NoteFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(text.trim());
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel();
      }}
    >
      <label>
        {label}{' '}
        <input
          autoFocus
          type="text"
          maxLength={MOST_NOTE}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
          }}
        />
      </label>
      <button type="submit">Save note</button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </form>
  );
}
