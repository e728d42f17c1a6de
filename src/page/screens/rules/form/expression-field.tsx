import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { completeExpression, type Completion } from '#model/rules/complete-expression.ts';
import { Field } from '#page/kit/field.tsx';
import styles from './expression-field.module.css';

interface ExpressionFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mistake: string | undefined;
}

const HINT = 'Only where the fields above are not enough. Prices are in ticks.';

/** A condition on each order. Fields and values of an order are completed in a list under the field. */
export function ExpressionField({ value, onChange, mistake }: ExpressionFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [cursor, setCursor] = useState<number | null>(null);
  const [place, setPlace] = useState(0);
  const moved = useRef<number | null>(null);
  const found = cursor === null ? [] : completeExpression(value, cursor);
  const isOpen = found.length > 0;
  const look = (): void => {
    setCursor(input.current?.selectionStart ?? null);
    setPlace(0);
  };
  const close = (): void => {
    setCursor(null);
  };
  const take = ({ text, cursor: after }: Completion): void => {
    moved.current = after;
    onChange(text);
    close();
  };
  // The browser puts the cursor behind a text that the page sets.
  useLayoutEffect(() => {
    if (moved.current !== null) input.current?.setSelectionRange(moved.current, moved.current);
    moved.current = null;
  }, [value]);
  const press = (event: KeyboardEvent): void => {
    if (!isOpen) {
      if (event.key === 'ArrowDown') look();
      return;
    }
    const chosen = found[place];
    if (event.key === 'ArrowDown') setPlace((place + 1) % found.length);
    else if (event.key === 'ArrowUp') setPlace((place + found.length - 1) % found.length);
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    // The form must stay open.
    event.stopPropagation();
  };
  return (
    <div className={styles['whole']}>
      <Field label="Additional condition on each order" slot="expression" mistake={mistake} hint={HINT}>
        {(control) => (
          <input
            {...control}
            ref={input}
            type="text"
            className={styles['code']}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${String(place)}` : undefined}
            placeholder="order."
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={({ target }) => {
              onChange(target.value);
              look();
            }}
            onClick={look}
            onKeyDown={press}
            onBlur={close}
          />
        )}
      </Field>
      {isOpen && (
        <ul id={listId} role="listbox" aria-label="Fields and values" className={styles['list']}>
          {found.map((completion, index) => (
            <Proposal
              key={completion.label}
              id={`${listId}-${String(index)}`}
              completion={completion}
              isMarked={index === place}
              take={take}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ProposalProps {
  readonly id: string;
  readonly completion: Completion;
  readonly isMarked: boolean;
  readonly take: (completion: Completion) => void;
}

function Proposal({ id, completion, isMarked, take }: ProposalProps) {
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isMarked) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  return (
    <li
      ref={item}
      id={id}
      role="option"
      aria-selected={isMarked}
      // A pressed pointer would take the focus from the field and close the list.
      onPointerDown={(event) => {
        event.preventDefault();
        take(completion);
      }}
    >
      <span>{completion.label}</span>
      <span>{completion.remark}</span>
    </li>
  );
}
