import { useCallback, useMemo } from 'react';
import { DESK_PACES } from '#api/create-queries.ts';
import { toVenueTime } from '#api/venue-time.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { NoSuch } from '#ui/panel/no-such.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Panel } from '#ui/panel/panel.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { CarryPanel } from './carry-panel.tsx';
import { toCarryStart } from './carry-terms.ts';
import { Distribution } from './distribution.tsx';
import { FaultsTable } from './faults-table.tsx';
import { MissesTable } from './misses-table.tsx';
import { NoPrint } from './no-print.tsx';
import { OneControls } from './one-controls.tsx';
import { toOneData, type OneData } from './one-data.ts';
import { OneHeader } from './one-header.tsx';
import { ONE_PARAMS } from './one-params.ts';
import { PrintsTable } from './prints-table.tsx';
import { RateChart } from './rate-chart.tsx';
import { RealisedTable } from './realised-table.tsx';
import { useBoundary } from './use-boundary.ts';
import { useEstimate } from './use-estimate.ts';
import { FUNDING_SECONDS, useOneAnswers, type OneAnswers } from './use-one-answers.ts';
import styles from './one.module.css';

interface OneScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** One perpetual: who paid whom since its launch, who is about to, and what a position was paid. */
export function OneScreen({ parameters: { base_symbol = '' } }: OneScreenProps) {
  return <OneFunding key={base_symbol} baseSymbol={base_symbol} />;
}

function OneFunding({ baseSymbol }: { readonly baseSymbol: string }) {
  const [range] = useUrlState(ONE_PARAMS.range);
  const [from] = useUrlState(ONE_PARAMS.from);
  const [to] = useUrlState(ONE_PARAMS.to);
  const answers = useOneAnswers(baseSymbol, range, toCarryStart({ from, to }));
  const { funding, product, products, prices } = answers;
  const data = useMemo(() => (funding.data === undefined ? null : toOneData(funding.data, product, prices.data?.value ?? null)), [funding.data, product, prices.data]);
  return (
    <>
      <Toolbar title="Funding">
        <OneControls baseSymbol={baseSymbol} products={products.data?.value.products ?? []} />
      </Toolbar>
      {data === null ? <UnknownFunding baseSymbol={baseSymbol} answers={answers} /> : <KnownFunding data={data} answers={answers} />}
    </>
  );
}

function UnknownFunding({ baseSymbol, answers: { funding, product, products } }: { readonly baseSymbol: string; readonly answers: OneAnswers }) {
  const perpetuals = products.data?.value.products.filter(({ type }) => type === 'perpetual');
  if (perpetuals !== undefined && product === null && funding.error !== null) return <NoSuch noun="perpetual" name={baseSymbol} count={perpetuals.length} />;
  return (
    <Panel title={baseSymbol} query={funding} everySeconds={FUNDING_SECONDS}>
      {() => (
        <Nothing title={`${baseSymbol} could not be understood`}>
          <p>What the desk answered about it is not what the interface says. The status screen tells more.</p>
        </Nothing>
      )}
    </Panel>
  );
}

function KnownFunding({ data, answers }: { readonly data: OneData; readonly answers: OneAnswers }) {
  const { funding, estimate, estimates, prices, status } = answers;
  const venueNow = toVenueTime(status.data, useNow());
  useLatest(data, answers, venueNow);
  const read = useEstimate(data.perpetual.base_symbol, estimate);
  // One that is not the latest is told with the reason, and drawn and computed with nowhere.
  const inProgress = read?.notCurrent === null ? read : null;
  const live = { query: funding, everySeconds: FUNDING_SECONDS };
  return (
    <>
      <OneHeader data={data} estimate={read} estimateError={estimate.error} venueNow={venueNow} awaitsPrices={prices.data === undefined && prices.error === null} />
      <Panel title="Settled prints" {...live} besides={[estimate.data]} emptiness={() => (data.series.prints.length === 0 ? <NoPrint data={data} /> : null)}>
        {() => <RateChart data={data} estimate={inProgress} />}
      </Panel>
      {data.series.settledTo !== null && (
        <>
          <div className={styles['columns']}>
            <Panel title="Realised" {...live}>
              {() => <RealisedTable data={data} venueNow={venueNow} />}
            </Panel>
            <Panel title="Distribution in the range" {...live}>
              {() => <Distribution data={data} />}
            </Panel>
            <Panel title="Gaps and faults" {...live}>
              {() => <FaultsTable data={data} />}
            </Panel>
            <Panel title="How far estimates were off" query={estimates} everySeconds={DESK_PACES.estimates.reuseSeconds}>
              {(answer) => <MissesTable answer={answer} />}
            </Panel>
          </div>
          <Panel title="Carry" {...live} besides={[prices.data]}>
            {() => <CarryPanel data={data} estimate={inProgress?.value ?? null} />}
          </Panel>
          <Panel title="Every print, to the launch" {...live}>
            {() => <PrintsTable data={data} />}
          </Panel>
        </>
      )}
    </>
  );
}

/** Looks for what a boundary brings: the print, the next estimate, and how far the last one was off. */
function useLatest({ series }: OneData, { funding, estimate, estimates }: OneAnswers, venueNow: number): void {
  const [again, next, misses] = [funding.refetch, estimate.refetch, estimates.refetch];
  const refetch = useCallback(() => {
    void next();
    void again().then(() => misses());
  }, [again, next, misses]);
  useBoundary({ estimate: estimate.data?.value, settledTo: series.settledTo, venueNow, refetch });
}
