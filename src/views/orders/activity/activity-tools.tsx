import { useState } from 'react';
import { filterColumn } from '#ui/grid/change-state.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { NARROW } from '#ui/use-media.ts';
import { Segmented } from '#ui/segmented.tsx';
import { CHANGE_KINDS } from '#contract/desk-journal.ts';
import { PRODUCT_TYPES } from '#contract/order.ts';
import { Field, ProductField, TimeField, toText } from '../history/query-fields.tsx';
import historyStyles from '../history/history.module.css';
import { TIME_HINT } from '../filter/time-hint.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { kindsParam, windowParam, WINDOWS } from './activity-window.ts';
import { KIND_NAMES } from './change-columns.ts';
import styles from './activity.module.css';

const FIELDS: readonly (readonly [id: string, label: string])[] = [
  ['firm', 'Clearing firm'],
  ['account', 'Account'],
  ['connection', 'Connection'],
];

/** The window, the filters of counts and changes, and the kinds of the changes that are listed. */
export function ActivityTools({ list: { state, set } }: { readonly list: ListControl }) {
  const [window, setWindow] = useUrlState(windowParam);
  const put = (id: string, text: string): void => {
    set(filterColumn(state, id, text === '' ? null : { kind: 'is', texts: [text] }));
  };
  return (
    <div className={styles['tools']}>
      <Segmented label="Window" choices={WINDOWS} value={window} onChange={setWindow} />
      {window === 'range' && (
        <>
          <TimeField name="begin_time" label="From (UTC)" placeholder="YYYY-MM-DD" hint={TIME_HINT} />
          <TimeField name="end_time" label="To (UTC)" placeholder="now" hint={`${TIME_HINT} A day is included to its end.`} />
        </>
      )}
      <Filters state={state} put={put} />
      <Kinds />
    </div>
  );
}

interface FiltersProps {
  readonly state: ListControl['state'];
  readonly put: (id: string, text: string) => void;
}

/** Folded away on a phone. */
function Filters({ state, put }: FiltersProps) {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  return (
    <details
      className={historyStyles['query']}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>Order filters</summary>
      <div className={historyStyles['fields']} role="group" aria-label="Order filters">
        <ProductField
          value={toText(state.filters['product'])}
          set={(text) => {
            put('product', text);
          }}
        />
        {FIELDS.map(([id, label]) => (
          <Field
            key={id}
            label={label}
            value={toText(state.filters[id])}
            set={(text) => {
              put(id, text);
            }}
          />
        ))}
        <label className={historyStyles['field']}>
          Product type
          <select
            value={toText(state.filters['type'])}
            onChange={({ target }) => {
              put('type', target.value);
            }}
          >
            <option value="">Any</option>
            {PRODUCT_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      </div>
    </details>
  );
}

/** All kinds, unless some are pressed. */
function Kinds() {
  const [kinds, setKinds] = useUrlState(kindsParam);
  return (
    <div className={styles['kinds']} role="group" aria-label="Kinds of changes listed">
      {CHANGE_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kinds.includes(kind)}
          onClick={() => {
            setKinds(CHANGE_KINDS.filter((one) => (one === kind) !== kinds.includes(one)));
          }}
        >
          {KIND_NAMES[kind]}
        </button>
      ))}
    </div>
  );
}
