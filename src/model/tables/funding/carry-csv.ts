import type { Carry, CarryPosition } from '../../funding/carry.ts';
import type { Decimal } from '../../units/decimal.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toCsvInForm, type Cell, type CsvForm } from '../../format/csv.ts';
import type { PerpetualData } from './perpetual-data.ts';

const PROVENANCE = ['request', 'read_at'];
const HEADING = [
  ...[
    'interval_start',
    'interval_end',
    'base_symbol',
    'side',
    'contracts',
    'contract_size',
    'usd_per_tick',
    'price_by',
    'price_ticks',
    'price_usd',
    'notional_usd',
  ],
  ...['funding_rate', 'payment_usd', ...PROVENANCE],
];

/** Every payment, exact: negative = paid, positive = received. */
export function toCarryCsv(
  { perpetual, source }: PerpetualData,
  { payments }: Carry,
  position: CarryPosition,
  form: CsvForm = 'full',
): string {
  const { side, contracts, contractSize, increment, price } = position;
  const terms: readonly Cell[] = [
    perpetual.base_symbol,
    side,
    exact(contracts),
    exact(contractSize),
    exact(increment),
    price,
  ];
  return toCsvInForm(
    form,
    { heading: HEADING, provenance: PROVENANCE },
    payments.map(({ print: { row }, priceUsd, notional, rate, payment }) => [
      ...[row.interval_start, row.interval_end],
      ...terms,
      ...[{ digits: wireText(row, price) }, exact(priceUsd), exact(notional), exact(rate), exact(payment)],
      ...[`GET ${source.target}`, perpetual.read_at],
    ]),
  );
}

function exact(value: Decimal): Cell {
  return { digits: value.toFixed() };
}
