import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { toDecimal } from '#domain/decimal.ts';
import { computeCarry, estimateCarry, type CarryPrice, type CarrySide } from '#domain/funding/carry.ts';
import { asWritten } from '#domain/wire-row.ts';
import { download } from '#ui/download.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { toCarryCsv } from './carry-csv.ts';
import { CarryResult } from './carry-result.tsx';
import { toCarryTerms, toCarryWindow, toFieldText } from './carry-terms.ts';
import type { OneData } from './one-data.ts';
import { ONE_PARAMS } from './one-params.ts';
import styles from './one.module.css';

const SIDES: readonly (readonly [CarrySide, string])[] = [
  ['long', 'Long'],
  ['short', 'Short'],
];
const PRICES: readonly (readonly [CarryPrice, string])[] = [
  ['price_index', 'Index price'],
  ['mark_price', 'Mark price'],
];

interface CarryPanelProps {
  readonly data: OneData;
  readonly estimate: EstimatedFundingRateData | null;
}

/** What holding a position was paid, print by print. */
export function CarryPanel({ data, estimate }: CarryPanelProps) {
  const asked = useAsked();
  const { side, price, contracts, from, to } = asked.values;
  const terms = useMemo(() => toCarryTerms(data, { side, price, contracts, from, to }), [data, side, price, contracts, from, to]);
  useAnnounced(terms.problem === null ? null : `Not computed. ${terms.problem}`);
  const window = toCarryWindow(data.series.settledTo ?? NaN, { from, to });
  const carry = useMemo(() => (terms.position === null ? null : computeCarry(data.series, terms.window, terms.position)), [data, terms]);
  const next = terms.position !== null && estimate !== null ? estimateCarry(data.series, terms.position, toDecimal(asWritten(estimate, 'funding_rate'))) : null;
  return (
    <>
      <form
        className={styles['terms']}
        aria-label="Carry"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Segmented label="Position" choices={SIDES} value={side} onChange={asked.setSide} />
        <Field label="Contracts" inputMode="numeric" value={contracts} placeholder="1" onChange={asked.setContracts} />
        <Field label="From, UTC" type="datetime-local" value={toFieldText(window.from, from)} onChange={asked.setFrom} />
        <Field label="To, UTC" type="datetime-local" value={toFieldText(window.to, to)} onChange={asked.setTo} />
        <Segmented label="Notional by" labelShown choices={PRICES} value={price} onChange={asked.setPrice} />
        {carry !== null && terms.position !== null && (
          <button
            type="button"
            onClick={() => {
              download(`carry-${data.perpetual.base_symbol}-${side}.csv`, toCarryCsv(data, carry, terms.position));
            }}
          >
            CSV
          </button>
        )}
      </form>
      {terms.problem !== null && (
        <p className={styles['notice']}>
          <strong>Not computed.</strong> {terms.problem}
        </p>
      )}
      {carry !== null && terms.position !== null && <CarryResult data={data} carry={carry} position={terms.position} estimate={next} endsAt={estimate?.interval_end ?? null} />}
    </>
  );
}

function useAsked() {
  const [side, setSide] = useUrlState(ONE_PARAMS.carrySide);
  const [price, setPrice] = useUrlState(ONE_PARAMS.carryPrice);
  const [contracts, setContracts] = useUrlState(ONE_PARAMS.contracts);
  const [from, setFrom] = useUrlState(ONE_PARAMS.from);
  const [to, setTo] = useUrlState(ONE_PARAMS.to);
  return { values: { side, price, contracts, from, to }, setSide, setPrice, setContracts, setFrom, setTo };
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly type?: 'text' | 'datetime-local';
  readonly inputMode?: 'numeric';
}

function Field({ label, value, onChange, placeholder, type = 'text', inputMode }: FieldProps) {
  return (
    <label className={styles['field']}>
      {label}{' '}
      <input
        type={type}
        value={value}
        placeholder={placeholder}
        {...(inputMode && { inputMode, size: 8 })}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    </label>
  );
}
