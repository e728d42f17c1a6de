import { useState } from 'react';
import { formatCount } from '#model/format/count.ts';
import type { GridFilter } from '#model/tables/grid-state.ts';
import { formatOption } from '#model/tables/orders/filter-text.ts';
import styles from '../shared/orders.module.css';

type CountedWord = readonly [word: string, count: number];

interface TextFilterProps {
  readonly words: readonly CountedWord[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

/** More values are found by searching. */
const MOST_SHOWN = 50;

/** The search narrows only the values on offer; selected values stay selected. */
export function TextFilter({ words, filter, put, unit }: TextFilterProps) {
  const [text, setText] = useState(filter?.kind === 'has' ? filter.text : '');
  const chosen = new Set(filter?.kind === 'is' ? filter.texts : []);
  // Those selected from the start, so that no value moves while others are selected.
  const [first] = useState(chosen);
  const isContains = filter?.kind === 'has' && filter.text === text;
  const wanted = text.toLowerCase();
  const found = toFront(words, first).filter(([word]) => word.toLowerCase().includes(wanted));
  const toggle = (word: string): void => {
    const next = chosen.has(word) ? [...chosen].filter((other) => other !== word) : [...chosen, word];
    put(next.length === 0 ? null : { kind: 'is', texts: next });
  };
  return (
    <>
      <label className={styles['choice']}>
        Search
        <input
          type="text"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
          }}
        />
        {unit}
      </label>
      {text !== '' && (
        <button
          type="button"
          aria-pressed={isContains}
          onClick={() => {
            put(isContains ? null : { kind: 'has', text });
          }}
        >
          Contains “{text}”
        </button>
      )}
      <fieldset className={styles['words']}>
        <legend>Is one of</legend>
        {found.slice(0, MOST_SHOWN).map(([word, count]) => (
          <label key={word}>
            <input
              type="checkbox"
              checked={chosen.has(word)}
              onChange={() => {
                toggle(word);
              }}
            />
            <span>{formatOption(word)}</span>
            <span className={styles['quiet']}>{formatCount(count)}</span>
          </label>
        ))}
        {found.length === 0 && <p>No value contains “{text}”.</p>}
        {found.length > MOST_SHOWN && <p>{formatCount(found.length - MOST_SHOWN)} more: search to find them.</p>}
      </fieldset>
    </>
  );
}

/** The selected words first, also those that no row has. */
function toFront(words: readonly CountedWord[], selected: ReadonlySet<string>): readonly CountedWord[] {
  const counts = new Map(words);
  const front = [...selected].map((word): CountedWord => [word, counts.get(word) ?? 0]);
  return [...front, ...words.filter(([word]) => !selected.has(word))];
}
