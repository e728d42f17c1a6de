import { useState } from 'react';
import { formatNumber } from '#domain/format-number.ts';
import { Decimal } from '#domain/decimal.ts';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { tellWord } from './filter-text.ts';
import styles from './orders.module.css';

interface WordsFilterProps {
  readonly words: readonly (readonly [word: string, count: number])[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
}

/** As many as anybody would tick; more are found by typing. */
const MOST_SHOWN = 100;

/** Looking for words only narrows what is offered: what was chosen before stays chosen. */
export function WordsFilter({ words, filter, put, unit }: WordsFilterProps) {
  const [text, setText] = useState(filter?.kind === 'has' ? filter.text : '');
  const chosen = new Set(filter?.kind === 'is' ? filter.texts : []);
  const isHad = filter?.kind === 'has' && filter.text === text;
  const wanted = text.toLowerCase();
  const found = words.filter(([word]) => word.toLowerCase().includes(wanted));
  const toggle = (word: string): void => {
    const next = chosen.has(word) ? [...chosen].filter((other) => other !== word) : [...chosen, word];
    put(next.length === 0 ? null : { kind: 'is', texts: next });
  };
  return (
    <>
      <label className={styles['choice']}>
        Look for
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
          aria-pressed={isHad}
          onClick={() => {
            put(isHad ? null : { kind: 'has', text });
          }}
        >
          Whatever has “{text}”
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
            <span>{tellWord(word)}</span>
            <span className={styles['quiet']}>{formatNumber(new Decimal(count))}</span>
          </label>
        ))}
        {found.length > MOST_SHOWN && <p>And {found.length - MOST_SHOWN} more: type to find them.</p>}
      </fieldset>
    </>
  );
}
