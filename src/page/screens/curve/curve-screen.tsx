import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useMemo } from 'react';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { findDefaultUnderlying, findUnderlying, toUnderlyingItems } from '#model/curve/underlyings.ts';
import { CURVE_PARAMS, CURVE_VIEWS, type CurveView } from '#model/curve/curve-params.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { useFullAddress, useLastViewed } from '#page/kit/last-viewed.ts';
import { useAddress, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useTitleSubject } from '#page/kit/window-title.ts';
import { UnknownSymbol } from '#page/panels/missing-rows.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { CalendarPanel } from './calendar/calendar-panel.tsx';
import { CarryPanel } from './carry/carry-panel.tsx';
import { SpreadsPanel } from './spreads/spreads-panel.tsx';
import { CurvePanel } from './term/curve-panel.tsx';
import styles from './shared/curve.module.css';

interface CurveScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

const NONE: readonly DeskProduct[] = [];

/** Loaded on demand, because it needs the library of charts. */
const HistoryPanel = lazy(async () => (await import('./history/history-panel.tsx')).HistoryPanel, <Skeleton />);

interface ViewPanel {
  readonly title: string;
  readonly Panel: ComponentType<{ readonly underlying: string }>;
}

/** Further panels about the same underlying are added here, each with a view of its own in the address. */
const VIEWS: Readonly<Record<CurveView, ViewPanel>> = {
  curve: { title: 'Curve', Panel: CurvePanel },
  history: { title: 'History', Panel: HistoryPanel },
  carry: { title: 'Carry', Panel: CarryPanel },
  spreads: { title: 'Calendar spreads', Panel: SpreadsPanel },
  calendar: { title: 'Expiries', Panel: CalendarPanel },
};

const CHOICES = CURVE_VIEWS.map((view) => [view, VIEWS[view].title] as const);

/** What the months of an underlying pay over its perpetual. */
export function CurveScreen({ parameters: { underlying: wanted } }: CurveScreenProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({}));
  const products = directory.data?.value.products ?? NONE;
  const underlying = useUnderlying(wanted, products);
  const open = useOpenUnderlying();
  const items = useMemo(() => toUnderlyingItems(products), [products]);
  const [view, setView] = useUrlState(CURVE_PARAMS.view, 'push');
  const { Panel: ViewPanel } = VIEWS[view];
  const isLoading = directory.data === undefined;
  return (
    <div className={styles['screen']}>
      <Toolbar title="Curve">
        <ProductCombobox
          opensOnTyping
          label="Underlying"
          placeholder="Underlying…"
          products={products}
          toItems={toUnderlyingItems}
          value={underlying}
          onChange={open}
        />
        {CHOICES.length > 1 && <Segmented label="View" choices={CHOICES} value={view} onChange={setView} />}
      </Toolbar>
      {isLoading && (
        <Panel title="Products" query={directory} everySeconds={DESK_ENDPOINTS.products.reuseSeconds}>
          {() => null}
        </Panel>
      )}
      {!isLoading && underlying === null && (
        <UnknownSymbol noun="underlying with months" name={wanted ?? ''} count={items.length} />
      )}
      {underlying !== null && <ViewPanel underlying={underlying} />}
    </div>
  );
}

/** Returns the underlying in the address, or else the one viewed last. */
function useUnderlying(wanted: string | undefined, products: readonly DeskProduct[]): string | null {
  const found = useMemo(() => (wanted === undefined ? null : findUnderlying(wanted, products)), [wanted, products]);
  const last = useLastViewed('underlying', found);
  const underlying = wanted === undefined ? findDefaultUnderlying(products, last) : found;
  useTitleSubject(underlying ?? '');
  useFullAddress(
    underlying === null || underlying === wanted ? null : () => `/curve/${encodeURIComponent(underlying)}`,
  );
  return underlying;
}

/** Opens another underlying, of which the series in the address is not one. */
function useOpenUnderlying(): (name: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (name) => {
    const next = new URLSearchParams(query);
    CURVE_PARAMS.series.write(next, '');
    const search = next.toString();
    navigator.go(`/curve/${encodeURIComponent(name)}${search === '' ? '' : `?${search}`}`);
  };
}
