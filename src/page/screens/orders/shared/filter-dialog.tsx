import { useId, useMemo, useState } from 'react';
import { parseBound, type RangeEnd, type WrittenRange } from '#model/time/written-time.ts';
import type { GridColumn, GridFilter, GridState } from '#model/tables/grid.ts';
import { DateField } from '#page/kit/date-field.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import styles from './orders.module.css';
import { TIME_HINT } from './list-tools.tsx';
import { countOf, formatCount } from '#model/format/count.ts';
import {
  describeFilter,
  formatBound,
  formatOption,
  type IdSearch,
  toFilterUnit,
  toIdFilter,
  toIdSearch,
} from '#model/tables/orders/filter-text.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import {
  countMatches,
  countValues,
  findExtent,
  NO_BOUNDS,
  toBoundsFilter,
  toBoundTexts,
} from '#model/tables/orders/column-facts.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { Dialog } from '#page/kit/dialog.tsx';
import { filterColumn } from '#page/kit/grid/grid-props.ts';

interface FilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

const NO_RANGE: WrittenRange = { from: '', to: '' };

const USUAL_RANGES: readonly (readonly [label: string, range: WrittenRange])[] = [
  ['In the last hour', { from: '1 h ago', to: '' }],
  ['Today (UTC)', { from: 'today', to: '' }],
  ['More than 1 hour ago', { from: '', to: '1 h ago' }],
  ['More than 1 day ago', { from: '', to: '1 d ago' }],
  ['More than 1 week ago', { from: '', to: '1 w ago' }],
];

export function TimeFilter({ filter, put }: FilterProps) {
  const range = filter?.kind === 'within' ? filter : NO_RANGE;
  const hintId = useId();
  const putRange = ({ from, to }: WrittenRange): void => {
    put(from === '' && to === '' ? null : { kind: 'within', from, to });
  };
  return (
    <>
      <div className={styles['choices']} role="group" aria-label="Usual ranges">
        {USUAL_RANGES.map(([label, usual]) => {
          const isOn = usual.from === range.from && usual.to === range.to;
          return (
            <button
              key={label}
              type="button"
              className={styles['toggle']}
              aria-pressed={isOn}
              onClick={() => {
                putRange(isOn ? NO_RANGE : usual);
              }}
            >
              {label}
            </button>
          );
        })}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <BoundField
          key={end}
          end={end}
          bound={range[end]}
          hintId={hintId}
          set={(bound) => {
            putRange({ ...range, [end]: bound });
          }}
        />
      ))}
      <p id={hintId} className={styles['hint']}>
        {TIME_HINT}
      </p>
    </>
  );
}

interface BoundFieldProps {
  readonly end: RangeEnd;
  readonly bound: string;
  readonly hintId: string;
  readonly set: (bound: string) => void;
}

/** Edits one end of a time range. Text that is not yet a time changes nothing. */
function BoundField({ end, bound, hintId, set }: BoundFieldProps) {
  const [draft, setDraft] = useDraft<string>(bound);
  const errorId = useId();
  const text = draft ?? bound;
  const isTime = text.trim() === '' || parseBound(text) !== null;
  const edit = (next: string): void => {
    const read = next.trim() === '' ? '' : parseBound(next);
    setDraft(next, read ?? bound);
    if (read !== null && read !== bound) set(read);
  };
  return (
    <span className={styles['choice']}>
      <DateField
        label={end === 'from' ? 'From' : 'To'}
        isLabelShown
        value={text}
        placeholder="Any"
        isInvalid={!isTime}
        describedBy={isTime ? hintId : `${errorId} ${hintId}`}
        onChange={edit}
      />
      {!isTime && (
        <span id={errorId} className={styles['invalid']}>
          Not a time
        </span>
      )}
    </span>
  );
}

type CountedWord = readonly [word: string, count: number];

interface TextFilterProps extends FilterProps {
  readonly words: readonly CountedWord[];
  readonly unit: string | undefined;
}

/** Further values can be found by searching. */
const MOST_SHOWN = 50;

/** Filters by values. The search narrows only the values on offer; selected values stay selected. */
export function TextFilter({ words, filter, put, unit }: TextFilterProps) {
  const [text, setText] = useState(filter?.kind === 'has' ? filter.text : '');
  const chosen = new Set(filter?.kind === 'is' ? filter.texts : []);
  // Lists the initially selected values first, and keeps that order so that no value moves while others are selected.
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

/** Puts the selected words first, including those that no row has. */
function toFront(words: readonly CountedWord[], selected: ReadonlySet<string>): readonly CountedWord[] {
  const counts = new Map(words);
  const front = [...selected].map((word): CountedWord => [word, counts.get(word) ?? 0]);
  return [...front, ...words.filter(([word]) => !selected.has(word))];
}

const MODES = [
  ['has', 'Contains'],
  ['starts', 'Starts with'],
  ['is', 'Is'],
] as const;

/** Filters ids by search instead of a list, since nearly every order has its own. */
export function IdFilter({ filter, put }: FilterProps) {
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

interface NumberFilterProps extends FilterProps {
  readonly unit: string | undefined;
  /** The smallest and largest value in the column; null if no row has a value. */
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
          : `Values are between ${formatBound(extent[0])} and ` +
            `${formatBound(extent[1])}${unit === undefined ? '' : ` ${unit}`}.`}
      </p>
    </>
  );
}

interface FilterDialogProps {
  /** The initially selected column. */
  readonly columnId?: string | undefined;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  /** The word for a row, such as `working order`. */
  readonly noun: string;
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
  /** Returns a sentence that says whether exchange or page applies a column's filter, where that differs. */
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

/** Picks the filter that suits the column's content: times, ids, numbers or a few values. */
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

/** Describes the current filter, however it was set, and the number of matching rows. */
function Matches({ column, rows, noun, filter }: MatchesProps) {
  const count = useMemo(() => countMatches(rows, [column], { [column.id]: filter }), [rows, column, filter]);
  return (
    <p className={styles['matches']}>
      {column.title} <b>{describeFilter(filter, column)}</b>: {formatCount(count)} of {countOf(rows.length, noun)}
    </p>
  );
}
