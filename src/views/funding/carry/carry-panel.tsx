import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import { computeCarry, estimateCarry, type CarryPrice, type CarrySide } from '#domain/funding/carry.ts';
import { wireText } from '#contract/wire-text.ts';
import { CsvButtons } from '#ui/csv-button.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { toCarryAhead } from '#domain/funding/carry-ahead.ts';
import { toCarryCsv } from './carry-csv.ts';
import { CarryResult } from './carry-result.tsx';
import { toCarrySide, toCarryTerms, toCarryWindow, toFieldText } from './carry-terms.ts';
import type { PerpetualData } from '../perpetual/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '../perpetual/perpetual-params.ts';
import styles from '../perpetual/perpetual.module.css';

const SIDES: readonly (readonly [CarrySide, string])[] = [
  ['long', 'Long'],
  ['short', 'Short'],
];
const PRICES: readonly (readonly [CarryPrice, string])[] = [
  ['price_index', 'Index price'],
  ['mark_price', 'Mark price'],
];

interface CarryPanelProps {
  readonly data: PerpetualData;
  readonly estimate: EstimatedFundingRateData | null;
}

export function CarryPanel({ data, estimate }: CarryPanelProps) {
  const input = useCarryInput();
  const { side, price, contracts, from, to } = input.values;
  const terms = useMemo(() => toCarryTerms(data, { side, price, contracts, from, to }), [data, side, price, contracts, from, to]);
  useAnnounced(terms.problem === null ? null : `Carry not calculated. ${terms.problem}`);
  const window = toCarryWindow(data.series.endsAt ?? NaN, { from, to });
  const carry = useMemo(() => (terms.position === null ? null : computeCarry(data.series, terms.window, terms.position)), [data, terms]);
  const next = terms.position !== null && estimate !== null ? estimateCarry(data.series, terms.position, toDecimal(wireText(estimate, 'funding_rate'))) : null;
  return (
    <>
      <form
        className={styles['terms']}
        aria-label="Carry"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Segmented label="Position" choices={SIDES} value={side} onChange={input.setSide} />
        <Field label="Contracts" inputMode="numeric" value={contracts} placeholder="1" onChange={input.setContracts} />
        <Field label="From, UTC" type="datetime-local" value={toFieldText(window.from, from)} onChange={input.setFrom} />
        <Field label="To, UTC" type="datetime-local" value={toFieldText(window.to, to)} onChange={input.setTo} />
        <Segmented label="Notional price" labelShown choices={PRICES} value={price} onChange={input.setPrice} />
        {carry !== null && terms.position !== null && (
          <CsvButtons fileName={`carry-${data.perpetual.base_symbol}-${side}`} write={(form) => toCarryCsv(data, carry, terms.position, form)} />
        )}
      </form>
      {terms.problem !== null && (
        <p className={styles['notice']}>
          <strong>Carry not calculated.</strong> {terms.problem}
        </p>
      )}
      {carry !== null && terms.position !== null && <CarryResult data={data} carry={carry} position={terms.position} estimate={next} endsAt={estimate?.interval_end ?? null} ahead={toCarryAhead(data.series, carry.coverage, terms.position, next)} />}
    </>
  );
}

function useCarryInput() {
  const [chosen, setSide] = useUrlState(PERPETUAL_PARAMS.carrySide);
  const [convention] = useUrlState(PERPETUAL_PARAMS.side);
  const side = toCarrySide(chosen, convention);
  const [price, setPrice] = useUrlState(PERPETUAL_PARAMS.carryPrice);
  const [contracts, setContracts] = useUrlState(PERPETUAL_PARAMS.contracts);
  const [from, setFrom] = useUrlState(PERPETUAL_PARAMS.from);
  const [to, setTo] = useUrlState(PERPETUAL_PARAMS.to);
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
