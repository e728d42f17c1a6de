import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskObservedPrices } from '#contract/desk/journal.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import {
  describeObserved,
  toObservedChartData,
  toObservedCsv,
  toObservedStretches,
} from '#model/charts/price/observed-chart.ts';
import { countOf } from '#model/format/count.ts';
import { formatDay, formatDuration, formatInstant } from '#model/format/format-time.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { ApiResponse } from '#model/response.ts';
import { sessionAfter, sessionBefore, sessionOf } from '#model/time/session.ts';
import { sessionTimes } from '#model/time/session-times.ts';
import { asTicks, byIncrement } from '#model/units/quantity.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { usePanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useExchangeNow } from '#page/panels/use-exchange-time.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { useAlertAtLevel } from './shared/alert-at-level.ts';
import { useNoAlert } from './shared/no-alert.ts';
import { OBSERVED_NOW, PRICE_PARAMS } from './shared/price-params.ts';

/** As often as other screens read prices. A session that is over no longer changes. */
const REFRESH_SECONDS = 20;

interface ObservedPricesProps {
  readonly named: NamedProduct;
  /** Why prices are not converted to USD; null if they are. */
  readonly withheld: string | null;
}

/** Shows the last prices of a session as Perpdesk's readings showed them: the exchange itself publishes daily prices. */
export function ObservedPrices({ named, withheld }: ObservedPricesProps) {
  const { queries } = useApi();
  const { day, today, period } = useSession(named);
  const isOver = day < today;
  const query = usePanelQuery(
    useQuery(
      queries.desk.observedPrices(
        { product_id: named.id, begin_time: toInstant(period.from), end_time: toInstant(period.to) },
        { everySeconds: isOver ? Infinity : REFRESH_SECONDS },
      ),
    ),
  );
  return (
    <Panel
      fills
      title={`${named.name}, last prices as observed, session of ${formatDay(day)}`}
      query={query}
      everySeconds={REFRESH_SECONDS}
      actions={<Days day={day} today={today} named={named} />}
      emptyState={({ value }) =>
        value.missing === null ? null : (
          <EmptyState title={`No prices were recorded in the session of ${formatDay(day)}`}>
            <p>{value.missing}</p>
          </EmptyState>
        )
      }
    >
      {(response) => <ObservedChart {...{ named, withheld, response, day, period }} />}
    </Panel>
  );
}

function toInstant(epochMs: number): Instant {
  return new Date(epochMs).toISOString() as Instant;
}

function rulesOf({ product }: NamedProduct) {
  return { everyDay: product?.type === 'perpetual' };
}

/** Returns the session in the address, or the current one. */
function useSession(named: NamedProduct) {
  const [wanted] = useUrlState(PRICE_PARAMS.observed);
  const rules = rulesOf(named);
  const today = useExchangeNow((now) => sessionOf(now, rules));
  const day = wanted === OBSERVED_NOW || wanted > today ? today : (wanted as Day);
  return { day, today, period: useMemo(() => sessionTimes(day, { everyDay: rules.everyDay }), [day, rules.everyDay]) };
}

function Days({ day, today, named }: { readonly day: Day; readonly today: Day; readonly named: NamedProduct }) {
  const [, setDay] = useUrlState(PRICE_PARAMS.observed);
  const rules = rulesOf(named);
  const show = (next: Day): void => {
    setDay(next >= today ? OBSERVED_NOW : next);
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          show(sessionBefore(day, rules));
        }}
      >
        Previous session
      </button>
      <button
        type="button"
        disabled={day >= today}
        onClick={() => {
          show(sessionAfter(day, rules));
        }}
      >
        Next session
      </button>
    </>
  );
}

interface ObservedChartProps extends ObservedPricesProps {
  readonly response: ApiResponse<DeskObservedPrices>;
  readonly day: Day;
  readonly period: ReturnType<typeof sessionTimes>;
}

function ObservedChart({ named, withheld, response, day, period }: ObservedChartProps) {
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [zone] = useZone();
  const { product } = named;
  const conversion = useMemo(
    () => (product === null || withheld !== null ? null : byIncrement(product, null)) ?? asTicks,
    [product, withheld],
  );
  const stretches = useMemo(() => toObservedStretches(response, conversion), [response, conversion]);
  const chartData = useMemo(
    () =>
      toObservedChartData({
        ...{ response, stretches, conversion, ...period },
        formatTime: (epochMs) => formatInstant(epochMs, zone),
      }),
    [response, stretches, conversion, period, zone],
  );
  const { every_seconds: everySeconds } = response.value;
  const covered = describeObserved(response.value, period.from, (epochMs) => formatInstant(epochMs, zone));
  const every = `Observed every ${formatDuration(everySeconds)}, or more often`;
  const fileName = `${named.name}-observed-${day}`;
  const alert = useAlertAtLevel(named, null, Number(conversion.factor));
  const noAlert = useNoAlert('No alert here: the prices are in ticks, and a rule needs one in USD.');
  return (
    <ChartFrame
      label={`${named.name}, last prices as observed, in ${conversion.unit}`}
      summary={[`${every}: ${countOf(stretches.length, 'price')}.`, ...covered].join(' ')}
      {...{ chartData, view, fileName }}
      scale={scale === 'percent' ? 'linear' : scale}
      onScale={setScale}
      onView={setView}
      origin={usePictureOrigin(response)}
      levelAction={conversion.unit === 'USD' ? alert : noAlert}
      subject={`${named.name} ${day}`}
      exports={{
        of: 'observed prices',
        fileName,
        write: (form) => toObservedCsv(stretches, { symbol: named.name, source: response }, form),
      }}
      remarks={
        <>
          <span>
            {every}: what the price did in between is not known. Each minute shows, at its end, the last price read in
            it.
          </span>
          {covered.map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
          {withheld !== null && <span>In ticks: {withheld}</span>}
        </>
      }
    />
  );
}
