import { useState } from 'react';
import { filterColumn } from '#page/kit/grid/grid-props.ts';
import { LazyColumnsDialog } from '#page/kit/grid/columns-button.tsx';
import type { GridColumn } from '#model/tables/grid.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import { PRODUCT_TYPES } from '#contract/exchange/order.ts';
import { OwnerFields, ProductField, TimeField, toText } from '../history/query-fields.tsx';
import historyStyles from '../shared/history.module.css';
import { DialogButton, FoldedFilters, TIME_HINT } from '../shared/list-tools.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import { kindsParam, windowParam, WINDOWS } from '#model/tables/orders/activity-window.ts';
import { useSavedViews } from '../saved-views/use-saved-views.ts';
import { LazyViewsDialog, ViewsMenu } from '../saved-views/views-menu.tsx';
import { KIND_NAMES, type ChangeRow } from './change-columns.ts';
import styles from './activity.module.css';

interface ActivityToolsProps {
  readonly list: ListControl;
  /** The columns of the list of changes. */
  readonly columns: readonly GridColumn<ChangeRow>[];
}

/** Sets the window, the filters of counts and changes, and the kinds of listed changes. */
export function ActivityTools({ list, columns }: ActivityToolsProps) {
  const { state, set } = list;
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
          <TimeField
            name="end_time"
            label="To (UTC)"
            placeholder="now"
            hint={`${TIME_HINT} A day is included to its end.`}
          />
        </>
      )}
      <Filters state={state} put={put} />
      <Kinds />
      <ListTools list={list} columns={columns} />
    </div>
  );
}

/** Offers the same tools as the other lists of orders. */
function ListTools({ list, columns }: ActivityToolsProps) {
  const [opened, setOpened] = useState<'views' | 'columns' | null>(null);
  const saved = useSavedViews(list, 'activity');
  const close = (): void => {
    setOpened(null);
  };
  return (
    <>
      <ViewsMenu
        saved={saved}
        manage={() => {
          setOpened('views');
        }}
      />
      <DialogButton
        name="Columns"
        open={() => {
          setOpened('columns');
        }}
      />
      {opened === 'views' && <LazyViewsDialog {...saved} close={close} />}
      {opened === 'columns' && (
        <LazyColumnsDialog
          table={{ columns, state: list.state, set: list.set }}
          reset={list.resetLayout}
          close={close}
        />
      )}
    </>
  );
}

interface FiltersProps {
  readonly state: ListControl['state'];
  readonly put: (id: string, text: string) => void;
}

function Filters({ state, put }: FiltersProps) {
  return (
    <FoldedFilters title="Order filters">
      <ProductField
        value={toText(state.filters['product'])}
        set={(text) => {
          put('product', text);
        }}
      />
      <OwnerFields filters={state.filters} put={put} />
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
    </FoldedFilters>
  );
}

/** Chooses the kinds of changes; if none is pressed, all are listed. */
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
