import { useMemo, useState } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import type { GridFilter, GridState } from '#model/tables/grid-state.ts';
import { describeFilter, formatBound, formatOption, toFilterUnit } from '#model/tables/orders/filter-text.ts';
import styles from '../shared/orders.module.css';
import { Segmented } from '../../../kit/segmented.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { type IdSearch, toIdFilter, toIdSearch } from '#model/tables/orders/id-search.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from '#model/tables/orders/number-bounds.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { filterColumn } from '../../../kit/grid/change-state.ts';
import { countMatches, countValues, findExtent } from '#model/tables/orders/column-facts.ts';
import { TimeFilter } from './time-filter.tsx';

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

interface IdFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

const MODES = [
  ['has', 'Contains'],
  ['starts', 'Starts with'],
  ['is', 'Is'],
] as const;

/** Nearly every order has an id of its own, so ids are searched, not listed. */
export function IdFilter({ filter, put }: IdFilterProps) {
  const [draft, setDraft] = useDraft<IdSearch>(toKey(filter));
  const current = draft ?? toIdSearch(filter);
  const edit = (search: IdSearch): void => {
    const next = toIdFilter(search);
    setDraft(search, toKey(next));
    put(next);
  };
  return (
    <>
      <Segmented
        label="Comparison"
        choices={MODES}
        value={current.mode}
        onChange={(mode) => {
          edit({ ...current, mode });
        }}
      />
      <label className={styles['choice']}>
        {current.mode === 'is' ? 'IDs, separated by spaces or commas' : 'Digits'}
        <input
          type="text"
          value={current.text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            edit({ ...current, text: target.value });
          }}
        />
      </label>
    </>
  );
}

function toKey(filter: GridFilter | null | undefined): string {
  return JSON.stringify(filter ?? null);
}

interface NumberFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
  readonly unit: string | undefined;
  /** The least and the greatest value of the column; null if no row has a value. */
  readonly extent: readonly [least: number, greatest: number] | null;
}

export function NumberFilter({ filter, put, unit, extent }: NumberFilterProps) {
  const [written, setWritten] = useState(NO_BOUNDS);
  const bounds = toBoundTexts(filter, written);
  return (
    <>
      {(['from', 'to'] as const).map((bound) => (
        <label key={bound} className={styles['choice']}>
          {bound === 'from' ? 'At least' : 'At most'}
          <input
            type="number"
            step="any"
            value={bounds[bound]}
            onChange={({ target }) => {
              const next = { ...bounds, [bound]: target.value };
              setWritten(next);
              put(toBoundsFilter(next));
            }}
          />
          {unit}
        </label>
      ))}
      <p className={styles['hint']}>
        {extent === null
          ? 'No order has a value in this column.'
          : `Values are between ${formatBound(extent[0])} and ${formatBound(extent[1])}${unit === undefined ? '' : ` ${unit}`}.`}
      </p>
    </>
  );
}

interface FilterDialogProps {
  /** The column that is selected first. */
  readonly columnId?: string | undefined;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  /** What a row is. */
  readonly noun: string;
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
  /** Who applies the filter of a column, where that differs: a sentence. */
  readonly describeScope?: (columnId: string, filter: GridFilter | undefined) => string;
}

export function FilterDialog({
  columnId = 'product',
  columns,
  rows,
  noun,
  state,
  set,
  close,
  describeScope,
}: FilterDialogProps) {
  const [id, setId] = useState(columnId);
  const column = columns.find((one) => one.id === id);
  const filter = state.filters[id];
  const put = (next: GridFilter | null): void => {
    set(filterColumn(state, id, next));
  };
  return (
    <Dialog title="Filter by column" close={close}>
      <div className={styles['form']}>
        <label className={styles['choice']}>
          Column
          <select
            value={id}
            onChange={({ target }) => {
              setId(target.value);
            }}
          >
            {columns.map(({ id: value, title }) => (
              <option key={value} value={value}>
                {title}
                {state.filters[value] === undefined ? '' : ' (filtered)'}
              </option>
            ))}
          </select>
        </label>
        {describeScope !== undefined && <p className={styles['hint']}>{describeScope(id, filter)}</p>}
        {column !== undefined && <ColumnFilter key={id} column={column} rows={rows} filter={filter} put={put} />}
        {column !== undefined && filter !== undefined && (
          <>
            <Matches column={column} rows={rows} noun={noun} filter={filter} />
            <button
              type="button"
              onClick={() => {
                put(null);
              }}
            >
              Clear filter
            </button>
          </>
        )}
      </div>
    </Dialog>
  );
}

interface ColumnFilterProps {
  readonly column: GridColumn<OrderRow>;
  readonly rows: readonly OrderRow[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

/** The filter that suits what the column holds: times, ids, numbers or one of a few values. */
function ColumnFilter({ column, rows, filter, put }: ColumnFilterProps) {
  if (column.within !== undefined) return <TimeFilter filter={filter} put={put} />;
  if (column.unique === true) return <IdFilter filter={filter} put={put} />;
  if (column.kind === 'number') return <ColumnNumbers column={column} rows={rows} filter={filter} put={put} />;
  return <ColumnValues column={column} rows={rows} filter={filter} put={put} />;
}

function ColumnNumbers({ column, rows, filter, put }: ColumnFilterProps) {
  const extent = useMemo(() => findExtent(rows, column), [rows, column]);
  return <NumberFilter filter={filter} put={put} unit={toFilterUnit(column)} extent={extent} />;
}

function ColumnValues({ column, rows, filter, put }: ColumnFilterProps) {
  const words = useMemo(() => countValues(rows, column), [rows, column]);
  return <TextFilter words={words} filter={filter} put={put} unit={toFilterUnit(column)} />;
}

interface MatchesProps extends Pick<ColumnFilterProps, 'column' | 'rows'> {
  readonly noun: string;
  readonly filter: GridFilter;
}

/** Says what the filter is, whatever it was set by, and what it finds. */
function Matches({ column, rows, noun, filter }: MatchesProps) {
  const count = useMemo(() => countMatches(rows, [column], { [column.id]: filter }), [rows, column, filter]);
  return (
    <p className={styles['matches']}>
      {column.title} <b>{describeFilter(filter, column)}</b>: {formatCount(count)} of {countOf(rows.length, noun)}
    </p>
  );
}
