import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { type CarryPrice, type CarrySide, computeCarry, estimateCarry, toCarryAhead } from '#model/funding/carry.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { DateField } from '#page/kit/date-field.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import {
  toAddressText,
  toCarryCsv,
  toCarrySide,
  toCarryTerms,
  toCarryWindow,
  toFieldText,
} from '#model/tables/funding/carry.ts';
import { CarryResult } from './carry-result.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import styles from '../perpetual.module.css';

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
  const terms = useMemo(
    () => toCarryTerms(data, { side, price, contracts, from, to }),
    [data, side, price, contracts, from, to],
  );
  useAnnounced(terms.problem === null ? null : `Carry not calculated. ${terms.problem}`);
  const window = toCarryWindow(data.series.endsAt ?? NaN, { from, to });
  const carry = useMemo(
    () => (terms.position === null ? null : computeCarry(data.series, terms.window, terms.position)),
    [data, terms],
  );
  const next =
    terms.position !== null && estimate !== null
      ? estimateCarry(data.series, terms.position, toDecimal(wireText(estimate, 'funding_rate')))
      : null;
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
        <TimeField label="From, UTC" text={from} time={window.from} set={input.setFrom} />
        <TimeField label="To, UTC" text={to} time={window.to} set={input.setTo} />
        <Segmented label="Notional price" labelShown choices={PRICES} value={price} onChange={input.setPrice} />
        {carry !== null && terms.position !== null && (
          <ExportMenu
            of="carry"
            fileName={`carry-${data.perpetual.base_symbol}-${side}`}
            write={(form) => toCarryCsv(data, carry, terms.position, form)}
          />
        )}
      </form>
      {terms.problem !== null && (
        <p className={styles['notice']}>
          <strong>Carry not calculated.</strong> {terms.problem}
        </p>
      )}
      {carry !== null && terms.position !== null && (
        <CarryResult
          data={data}
          carry={carry}
          position={terms.position}
          estimate={next}
          endsAt={estimate?.interval_end ?? null}
          ahead={toCarryAhead(data.series, carry.coverage, terms.position, next)}
        />
      )}
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

interface TimeFieldProps {
  readonly label: string;
  /** The text in the address; empty for the default time. */
  readonly text: string;
  /** NaN if the text is not a time. */
  readonly time: number;
  readonly set: (text: string) => void;
}

function TimeField({ label, text, time, set }: TimeFieldProps) {
  const [draft, edit] = useDraft<string>(text);
  return (
    <span className={styles['field']}>
      <DateField
        label={label}
        isLabelShown
        value={draft ?? toFieldText(time, text)}
        placeholder="YYYY-MM-DD HH:MM"
        isInvalid={text !== '' && Number.isNaN(time)}
        onChange={(typed) => {
          const next = toAddressText(typed.trim());
          edit(typed, next);
          set(next);
        }}
      />
    </span>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric';
}

function Field({ label, value, onChange, placeholder, inputMode }: FieldProps) {
  return (
    <label className={styles['field']}>
      {label}{' '}
      <input
        type="text"
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
