import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { formatSettledAt } from '#model/basis/basis.ts';
import { toCarryMonthsCsv } from '#model/curve/carry-csv.ts';
import {
  CARRY_CHOICES,
  type CarryChoice,
  type CarryDays,
  CARRY_UNITS,
  type CarryMonth,
  type CarryTerms,
  type CarryUnit,
  CARRY_WINDOWS,
  type PerpetualFunding,
  toCarryMonths,
  toPerpetualFunding,
} from '#model/curve/carry-months.ts';
import { CARRY_PARAMS } from '#model/curve/carry-params.ts';
import { type Curve, toCurve } from '#model/curve/curve-months.ts';
import { CURVE_PARAMS } from '#model/curve/curve-params.ts';
import { describeBestCarry, describePremium } from '#model/curve/describe-carry.ts';
import { formatNumber } from '#model/format/number.ts';
import { toNotional, WRONG_NOTIONAL } from '#model/tables/funding/carry.ts';
import { type Decimal, toDecimal } from '#model/units/decimal.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useEstimate } from '#page/panels/use-estimate.ts';
import { useDueTimes } from '#page/panels/use-exchange-time.ts';
import { BySettlements } from '../shared/by-settlements.tsx';
import { ReasonList } from '../shared/reason-list.tsx';
import { SeriesControl } from '../shared/series-control.tsx';
import { type DataResponse, SESSION_SECONDS, useCurveSession } from '../shared/use-curve-session.ts';
import { useSettledRates } from '../shared/use-settled-rates.ts';
import styles from '../shared/curve.module.css';
import { createCarryColumns } from './carry-columns.ts';

const NO_PRODUCTS: readonly DeskProduct[] = [];

/** What a month against the perpetual keeps: the basis, and the funding that the perpetual pays or receives. */
export function CarryPanel({ underlying }: { readonly underlying: string }) {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.products({}));
  const products = data?.value.products ?? NO_PRODUCTS;
  return (
    <Panel title={`${underlying} cash and carry`} query={useCurveSession(products)} everySeconds={SESSION_SECONDS}>
      {({ session, response }) =>
        session === null ? (
          <EmptyState title="No month has settled" />
        ) : (
          <Session {...{ products, underlying, session, response }} />
        )
      }
    </Panel>
  );
}

interface SessionProps {
  readonly products: readonly DeskProduct[];
  readonly underlying: string;
  readonly session: Day;
  readonly response: DataResponse;
}

function Session({ products, underlying, session, response }: SessionProps) {
  const [series] = useUrlState(CURVE_PARAMS.series);
  const curve = useMemo(
    () => toCurve({ directory: products, data: response, underlying, baseSymbol: series, session }),
    [products, response, underlying, series, session],
  );
  if (curve === null) return <EmptyState title={`No months of ${underlying}`} />;
  const symbol = curve.perpetual?.product.base_symbol;
  if (symbol === undefined)
    return (
      <EmptyState title={`No perpetual of ${underlying}`}>
        <p>Carry holds a month against a perpetual of the same underlying, and the exchange lists none.</p>
      </EmptyState>
    );
  return <CarryOf curve={curve} symbol={symbol} prices={response} />;
}

/** Reads settled rates and the predicted rate of the perpetual, as its own screen reads them. */
function useFunding(symbol: string) {
  const { queries } = useApi();
  const due = useDueTimes();
  const settled = useSettledRates(symbol);
  const predicted = useQuery(queries.venue.fundingEstimated({ base_symbol: symbol }));
  const estimate = useEstimate(symbol, predicted, due);
  const noRate = predicted.error;
  const isRead = settled !== null && 'perpetual' in settled;
  return {
    perpetual: isRead ? settled : null,
    estimate,
    isPending: settled === null,
    /** Why settled rates, and the predicted rate, are missing or out of date; null if they are not. */
    realised: settled === null || isRead ? null : settled.missingBecause,
    predicted: estimate?.notCurrent ?? (noRate && `The predicted rate could not be read: ${noRate.message}`),
  };
}

interface CarryOfProps {
  readonly curve: Curve;
  readonly symbol: string;
  readonly prices: DataResponse;
}

function CarryOf({ curve, symbol, prices }: CarryOfProps) {
  const [choice, setChoice] = useUrlState(CARRY_PARAMS.choice);
  const [unit, setUnit] = useUrlState(CARRY_PARAMS.unit);
  const [days, setDays] = useUrlState(CARRY_PARAMS.days);
  const [typed, setTyped] = useUrlState(CARRY_PARAMS.notional);
  const read = useFunding(symbol);
  const { perpetual, estimate } = read;
  const funding = useMemo(
    () => perpetual && toPerpetualFunding({ ...perpetual, estimate, days }),
    [perpetual, estimate, days],
  );
  const notional = toNotional(typed);
  const amount = notional?.toFixed() ?? null;
  const terms = useMemo(
    (): CarryTerms | null => (amount === null ? null : { choice, unit, notional: toDecimal(amount) }),
    [choice, unit, amount],
  );
  useAnnounced(terms === null ? `Carry not calculated. ${WRONG_NOTIONAL}` : null);
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Position" choices={CHOICES} value={choice} onChange={setChoice} />
        <Segmented label="Funding over" choices={WINDOWS} value={days} onChange={setDays} />
        <Segmented label="Figures in" choices={UNITS} value={unit} onChange={setUnit} />
        {unit === 'notional' && <NotionalField value={typed} notional={notional} onChange={setTyped} />}
        <SeriesControl curve={curve} />
        <span className={styles['end']}>
          {terms !== null && (
            <ExportMenu
              of="carry"
              fileName={`carry-${curve.underlying}-${curve.baseSymbol}`}
              write={(form) =>
                toCarryMonthsCsv({ curve, funding, days, terms, prices, rates: perpetual?.source ?? null }, form)
              }
            />
          )}
        </span>
      </div>
      {terms === null ? (
        <EmptyState title="No notional" />
      ) : (
        <CarryTable {...{ curve, symbol, funding, days, terms, read }} />
      )}
    </>
  );
}

interface CarryTableProps extends Pick<CarryOfProps, 'curve' | 'symbol'> {
  readonly funding: PerpetualFunding | null;
  readonly days: CarryDays;
  readonly terms: CarryTerms;
  readonly read: ReturnType<typeof useFunding>;
}

function CarryTable({ curve, symbol, funding, days, terms, read }: CarryTableProps) {
  const { perpetual: leg, underlying } = curve;
  const { unit } = terms;
  const rows = useMemo(() => toCarryMonths(curve.months, leg, funding, terms), [curve, leg, funding, terms]);
  const { isPending, realised, predicted } = read;
  const isNarrow = useMedia(NARROW);
  const columns = useMemo(
    () => createCarryColumns({ perpetual: leg, unit, days, isPending, isNarrow, missing: { realised, predicted } }),
    [leg, unit, days, isPending, isNarrow, realised, predicted],
  );
  const without = isPending ? 'Settled rates are being read.' : 'No month has both a basis and funding.';
  return (
    <>
      <p className={styles['headline']}>
        <strong>{describeBestCarry(rows, leg, unit, days) ?? without}</strong>
        <span>
          {funding !== null && `${describeCoverage(funding, symbol, days)} ${describePremium(funding, days)}`}
        </span>
      </p>
      <FigureGrid<CarryMonth> label={`${underlying} carry`} columns={columns} rows={rows} keyOf={keyOf} />
      <ReasonList
        label="Not calculated"
        reasons={[realised, predicted, ...rows.map(({ refusedBecause }) => refusedBecause)]}
      />
      <p className={styles['foot']}>
        {describeSettled(curve)} {RULE}
        <BySettlements />
      </p>
    </>
  );
}

const CHOICE_NAMES: Readonly<Record<CarryChoice, string>> = {
  earning: 'The side that earned',
  cash: 'Long perpetual',
  reverse: 'Short perpetual',
};
const CHOICES = CARRY_CHOICES.map((choice) => [choice, CHOICE_NAMES[choice]] as const);
const WINDOWS = CARRY_WINDOWS.map((days) => [days, `${days} d`] as const);
const UNIT_NAMES: Readonly<Record<CarryUnit, string>> = {
  year: '% a year',
  contract: 'USD a contract',
  notional: 'USD of a notional',
};
const UNITS = CARRY_UNITS.map((unit) => [unit, UNIT_NAMES[unit]] as const);

const RULE =
  'At a positive rate a long perpetual pays and a short one receives. A year: simple, actual/365. In USD: until expiry, as if the mean ' +
  'rate stayed; only what the window itself paid is not scaled. ' +
  'The basis is kept if the position is held to expiry and the month settles at the index; it leaves the premium that ' +
  'the perpetual has then, and funding until then is not known: nothing is locked. Fees and margin are not counted.';

function keyOf({ month }: CarryMonth): string {
  return month.symbol;
}

function describeCoverage({ rates, intervals }: PerpetualFunding, symbol: string, days: string): string {
  return `Funding of ${symbol} is the mean of ${String(rates)} of ${String(intervals)} rates in ${days} days.`;
}

function describeSettled({ months, session }: Curve): string {
  const at = months.find(({ settlement }) => settlement !== null)?.settledAt ?? null;
  return at === null ? `No month has a settlement of ${session ?? 'this session'}.` : `Settled ${formatSettledAt(at)}.`;
}

interface NotionalFieldProps {
  readonly value: string;
  /** As understood; null if it is refused. */
  readonly notional: Decimal | null;
  readonly onChange: (text: string) => void;
}

function NotionalField({ value, notional, onChange }: NotionalFieldProps) {
  const id = useId();
  return (
    <span>
      <label>
        Notional, USD{' '}
        <input
          type="text"
          value={value}
          placeholder="10,000"
          inputMode="decimal"
          size={10}
          aria-invalid={notional === null}
          aria-describedby={id}
          onChange={({ target }) => {
            onChange(target.value);
          }}
        />
      </label>{' '}
      <span id={id}>{notional === null ? WRONG_NOTIONAL : `${formatNumber(notional)} USD`}</span>
    </span>
  );
}
