import { useCallback, useMemo } from 'react';
import { DESK_PACES } from '#api/create-queries.ts';
import { toVenueTime } from '#api/venue-time.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { UnknownSymbol } from '#panels/empty-states.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#panels/panel.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { CarryPanel } from '../carry/carry-panel.tsx';
import { toCarryStart } from '../carry/carry-terms.ts';
import { RateDistribution } from './rate-distribution.tsx';
import { FaultsTable } from './faults-table.tsx';
import { PredictionErrorTable } from './prediction-error-table.tsx';
import { NoSettledRate } from './no-settled-rate.tsx';
import { PerpetualControls } from './perpetual-controls.tsx';
import { type PerpetualData, toPerpetualData } from './perpetual-data.ts';
import { PerpetualHeader } from './perpetual-header.tsx';
import { PERPETUAL_PARAMS } from './perpetual-params.ts';
import { HistoryTable } from './history-table.tsx';
import { RateChart } from './rate-chart.tsx';
import { RealisedTable } from './realised-table.tsx';
import { useSettlementRefetch } from './use-settlement-refetch.ts';
import { FUNDING_SECONDS, type PerpetualQueries, useEstimate, usePerpetualQueries } from './use-perpetual-queries.ts';
import styles from './perpetual.module.css';

interface OneScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** One perpetual: who paid whom since its launch, who is about to, and what a position was paid. */
export function PerpetualScreen({ parameters: { base_symbol = '' } }: OneScreenProps) {
  return <OneFunding key={base_symbol} baseSymbol={base_symbol} />;
}

function OneFunding({ baseSymbol }: { readonly baseSymbol: string }) {
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const [from] = useUrlState(PERPETUAL_PARAMS.from);
  const [to] = useUrlState(PERPETUAL_PARAMS.to);
  const answers = usePerpetualQueries(baseSymbol, range, toCarryStart({ from, to }));
  const { funding, product, products, prices } = answers;
  const data = useMemo(() => (funding.data === undefined ? null : toPerpetualData(funding.data, product, prices.data?.value ?? null)), [funding.data, product, prices.data]);
  return (
    <>
      <Toolbar title="Funding">
        <PerpetualControls baseSymbol={baseSymbol} products={products.data?.value.products ?? []} />
      </Toolbar>
      {data === null ? <UnknownFunding baseSymbol={baseSymbol} answers={answers} /> : <KnownFunding data={data} answers={answers} />}
    </>
  );
}

function UnknownFunding({ baseSymbol, answers: { funding, product, products } }: { readonly baseSymbol: string; readonly answers: PerpetualQueries }) {
  const perpetuals = products.data?.value.products.filter(({ type }) => type === 'perpetual');
  if (perpetuals !== undefined && product === null && funding.error !== null) return <UnknownSymbol noun="perpetual" name={baseSymbol} count={perpetuals.length} />;
  return (
    <Panel title={baseSymbol} query={funding} everySeconds={FUNDING_SECONDS}>
      {() => (
        <EmptyState title={`${baseSymbol} could not be understood`}>
          <p>What the desk answered about it is not what the interface says. The status screen tells more.</p>
        </EmptyState>
      )}
    </Panel>
  );
}

function KnownFunding({ data, answers }: { readonly data: PerpetualData; readonly answers: PerpetualQueries }) {
  const { funding, estimate, estimates, prices, status } = answers;
  const venueNow = toVenueTime(status.data, useNow());
  useLatest(data, answers, venueNow);
  const read = useEstimate(data.perpetual.base_symbol, estimate);
  // One that is not the latest is told with the reason, and drawn and computed with nowhere.
  const inProgress = read?.notCurrent === null ? read : null;
  const live = { query: funding, everySeconds: FUNDING_SECONDS };
  return (
    <>
      <PerpetualHeader data={data} estimate={read} estimateError={estimate.error} venueNow={venueNow} awaitsPrices={prices.data === undefined && prices.error === null} />
      <Panel title="Settled prints" {...live} besides={[estimate.data]} emptyState={() => (data.series.prints.length === 0 ? <NoSettledRate data={data} /> : null)}>
        {() => <RateChart data={data} estimate={inProgress} />}
      </Panel>
      {data.series.settledTo !== null && (
        <>
          <div className={styles['columns']}>
            <Panel title="Realised" {...live}>
              {() => <RealisedTable data={data} venueNow={venueNow} />}
            </Panel>
            <Panel title="Distribution in the range" {...live}>
              {() => <RateDistribution data={data} />}
            </Panel>
            <Panel title="Gaps and faults" {...live}>
              {() => <FaultsTable data={data} />}
            </Panel>
            <Panel title="How far estimates were off" query={estimates} everySeconds={DESK_PACES.estimates.reuseSeconds}>
              {(answer) => <PredictionErrorTable answer={answer} />}
            </Panel>
          </div>
          <Panel title="Carry" {...live} besides={[prices.data]}>
            {() => <CarryPanel data={data} estimate={inProgress?.value ?? null} />}
          </Panel>
          <Panel title="Every print, to the launch" {...live}>
            {() => <HistoryTable data={data} />}
          </Panel>
        </>
      )}
    </>
  );
}

/** Looks for what a boundary brings: the print, the next estimate, and how far the last one was off. */
function useLatest({ series }: PerpetualData, { funding, estimate, estimates }: PerpetualQueries, venueNow: number): void {
  const [again, next, misses] = [funding.refetch, estimate.refetch, estimates.refetch];
  const refetch = useCallback(() => {
    void next();
    void again().then(() => misses());
  }, [again, next, misses]);
  useSettlementRefetch({ estimate: estimate.data?.value, settledTo: series.settledTo, venueNow, refetch });
}
