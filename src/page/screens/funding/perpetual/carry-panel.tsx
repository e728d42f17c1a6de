import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { toDecimal } from '#model/units/decimal.ts';
import {
  type CarryPrice,
  type CarrySide,
  type CarrySize,
  computeCarry,
  estimateCarry,
  toCarryAhead,
} from '#model/funding/carry.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { DateField } from '#page/kit/date-field.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { Skeleton } from '#page/panels/panel-body.tsx';
import {
  toAddressText,
  toCarryCsv,
  toCarrySide,
  toCarrySize,
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
const SIZES: readonly (readonly [CarrySize, string])[] = [
  ['contracts', 'In contracts'],
  ['usd', 'In USD'],
];
const PRICES: readonly (readonly [CarryPrice, string])[] = [
  ['price_index', 'Index price'],
  ['mark_price', 'Mark price'],
];

interface CarryPanelProps {
  readonly data: PerpetualData;
  readonly estimate: EstimatedFundingRateData | null;
  /** Whether the prices that check the tick size are still being read. */
  readonly awaitsPrices: boolean;
}

/** Until prices have been read, it is unknown whether contracts can be valued, unless the size is given in USD. */
export function CarryPanel(props: CarryPanelProps) {
  const [size] = useUrlState(PERPETUAL_PARAMS.carrySize);
  return props.awaitsPrices && size !== 'usd' ? <Skeleton /> : <CarryOf {...props} />;
}

function CarryOf({ data, estimate }: CarryPanelProps) {
  const input = useCarryInput();
  const { side, price, size, contracts, notional, from, to } = input.values;
  const terms = useMemo(
    () => toCarryTerms(data, { side, price, size, contracts, notional, from, to }),
    [data, side, price, size, contracts, notional, from, to],
  );
  const shownSize = toCarrySize(size, data);
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
        <SizeFields input={input} size={shownSize} />
        <TimeField
          label="From, UTC"
          text={from}
          time={window.from}
          placeholder={toFieldText(window.from, '')}
          set={input.setFrom}
        />
        <TimeField label="To, UTC" text={to} time={window.to} placeholder="now" set={input.setTo} />
        {shownSize === 'contracts' && (
          <Segmented label="Notional price" labelShown choices={PRICES} value={price} onChange={input.setPrice} />
        )}
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

type CarryFields = ReturnType<typeof useCarryInput>;

/** How large the position is: a number of contracts, or a notional. */
function SizeFields({ input, size }: { readonly input: CarryFields; readonly size: CarrySize }) {
  const { contracts, notional } = input.values;
  return (
    <>
      <Segmented label="Size" choices={SIZES} value={size} onChange={input.setSize} />
      {size === 'usd' ? (
        <Field label="Notional, USD" value={notional} placeholder="10,000" onChange={input.setNotional} />
      ) : (
        <Field label="Contracts" value={contracts} placeholder="1" onChange={input.setContracts} />
      )}
    </>
  );
}

function useCarryInput() {
  const [chosen, setSide] = useUrlState(PERPETUAL_PARAMS.carrySide);
  const [convention] = useUrlState(PERPETUAL_PARAMS.side);
  const side = toCarrySide(chosen, convention);
  const [price, setPrice] = useUrlState(PERPETUAL_PARAMS.carryPrice);
  const [size, setSize] = useUrlState(PERPETUAL_PARAMS.carrySize);
  const [contracts, setContracts] = useUrlState(PERPETUAL_PARAMS.contracts);
  const [notional, setNotional] = useUrlState(PERPETUAL_PARAMS.notional);
  const [from, setFrom] = useUrlState(PERPETUAL_PARAMS.from);
  const [to, setTo] = useUrlState(PERPETUAL_PARAMS.to);
  return {
    values: { side, price, size, contracts, notional, from, to },
    ...{ setSide, setPrice, setSize, setContracts, setNotional, setFrom, setTo },
  };
}

interface TimeFieldProps {
  readonly label: string;
  /** The text in the address; empty for the default time. */
  readonly text: string;
  /** NaN if the text is not a time. */
  readonly time: number;
  /** Says what an empty field means. */
  readonly placeholder: string;
  readonly set: (text: string) => void;
}

function TimeField({ label, text, time, placeholder, set }: TimeFieldProps) {
  const [draft, edit] = useDraft<string>(text);
  return (
    <span className={styles['field']}>
      <DateField
        label={label}
        isLabelShown
        value={draft ?? (text === '' ? '' : toFieldText(time, text))}
        placeholder={placeholder}
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
  readonly placeholder: string;
}

function Field({ label, value, onChange, placeholder }: FieldProps) {
  return (
    <label className={styles['field']}>
      {label}{' '}
      <input
        type="text"
        value={value}
        placeholder={placeholder}
        inputMode="decimal"
        size={8}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    </label>
  );
}
