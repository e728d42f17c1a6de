import { useRef, useState } from 'react';
import type { Day } from '#contract/exchange/instant.ts';
import { formatDay, readDay } from '#model/format/format-time.ts';
import { type ComparedWith, CURVE_PARAMS } from '#model/curve/curve-params.ts';
import { COMPARED, type Compared } from '#model/curve/curve-rows.ts';
import { DateField } from '#page/kit/date-field.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import styles from '../shared/curve.module.css';

const NAMES: Readonly<Record<Compared, string>> = {
  '1d': 'Previous session',
  '1w': 'A week ago',
  '30d': '30 days ago',
};

/** Chooses the earlier sessions whose curves are drawn with the newest one. Each is one request, once. */
export function CompareControl({ newest }: { readonly newest: Day }) {
  const [compared, setCompared] = useUrlState(CURVE_PARAMS.compared);
  const dates = compared.filter((each): each is Day => !COMPARED.some((name) => name === each));
  const toggle = (each: ComparedWith): void => {
    setCompared(compared.includes(each) ? compared.filter((other) => other !== each) : [...compared, each]);
  };
  const field = useRef<HTMLSpanElement>(null);
  return (
    <div className={styles['compare']} role="group" aria-label="Compare with">
      {COMPARED.map((each) => (
        <button
          key={each}
          type="button"
          className={styles['chip']}
          aria-pressed={compared.includes(each)}
          onClick={() => {
            toggle(each);
          }}
        >
          {NAMES[each]}
        </button>
      ))}
      {dates.map((day) => (
        <button
          key={day}
          type="button"
          className={styles['chip']}
          aria-label={`Remove ${formatDay(day)}`}
          onClick={() => {
            toggle(day);
            field.current?.querySelector('input')?.focus();
          }}
        >
          {formatDay(day)} <span aria-hidden="true">×</span>
        </button>
      ))}
      <span ref={field}>
        <AddDate
          newest={newest}
          add={(day) => {
            if (!compared.includes(day)) toggle(day);
          }}
        />
      </span>
    </div>
  );
}

function AddDate({ newest, add }: { readonly newest: Day; readonly add: (day: Day) => void }) {
  const [text, setText] = useState('');
  const take = (entered: string): void => {
    const day = readDay(entered);
    const isEarlier = day !== null && day < newest;
    if (isEarlier) add(day);
    setText(isEarlier ? '' : entered);
  };
  const day = readDay(text);
  return (
    <DateField
      label="Another session"
      value={text}
      onChange={setText}
      onPick={take}
      isInvalid={text !== '' && (day === null || day >= newest)}
      most={newest}
      placeholder="+ date"
      title="A session before the newest one, as YYYY-MM-DD, then Enter"
      onKeyDown={({ key }) => {
        if (key === 'Enter') take(text);
      }}
    />
  );
}
