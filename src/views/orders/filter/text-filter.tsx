import { useState } from 'react';
import { formatCount } from '#domain/format/count.ts';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { formatOption } from './filter-text.ts';
import styles from '../orders.module.css';

interface TextFilterProps {
  readonly words: readonly (readonly [word: string, count: number])[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

/** More values are found by searching. */
const MOST_SHOWN = 100;

/** The search narrows only the values on offer; selected values stay selected. */
export function TextFilter({ words, filter, put, unit }: TextFilterProps) {
  const [text, setText] = useState(filter?.kind === 'has' ? filter.text : '');
  const chosen = new Set(filter?.kind === 'is' ? filter.texts : []);
  const isContains = filter?.kind === 'has' && filter.text === text;
  const wanted = text.toLowerCase();
  const found = words.filter(([word]) => word.toLowerCase().includes(wanted));
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
        {found.length > MOST_SHOWN && <p>{formatCount(found.length - MOST_SHOWN)} more: search to find them.</p>}
      </fieldset>
    </>
  );
}
