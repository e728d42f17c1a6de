import type { CarryMonth, CarryUnit } from '#model/curve/carry-months.ts';
import { CARRY_UNIT_NAMES, describePosition, formatCarry } from '#model/curve/describe-carry.ts';
import type { CurveLeg } from '#model/curve/curve-months.ts';
import { formatDays } from '#model/curve/describe-curve.ts';
import { formatInAllZones } from '#model/format/format-time.ts';
import { formatMissing } from '#model/format/number.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import type { FigureColumn } from '#page/panels/figure-grid.tsx';
import { putFirst } from '../shared/put-first.ts';

type Column = FigureColumn<CarryMonth>;

type FigureName =
  | 'basis'
  | 'inWindow'
  | 'realisedFunding'
  | 'realised'
  | 'least'
  | 'most'
  | 'predictedFunding'
  | 'predicted';

interface ColumnInputs {
  readonly perpetual: CurveLeg | null;
  readonly unit: CarryUnit;
  readonly days: string;
  /** Whether settled rates are still being read. */
  readonly isPending: boolean;
  /** Whether space is limited, so that the result comes first. */
  readonly isNarrow: boolean;
  /** Why funding as realised or as predicted is missing, or null. */
  readonly missing: Readonly<Record<'realised' | 'predicted', string | null>>;
}

/** The columns of the carry of each month. */
export function createCarryColumns(inputs: ColumnInputs): readonly Column[] {
  const { perpetual, days, unit } = inputs;
  // In USD, the mean rate is scaled to expiry: it is not what the window paid, and the heading says so.
  const [span, atMean] = unit === 'year' ? ['a year', `${days} d`] : ['until expiry', `to expiry, ${days} d mean`];
  const explainMonth = (carry: CarryMonth): readonly Fact[] => [
    { name: 'Position', value: describePosition(carry, perpetual) },
    { name: 'Final settlement', value: formatInAllZones(carry.month.expiresAt) },
  ];
  const figure = (id: FigureName, title: string, tooltip: string): Column => toFigure(inputs, { id, title, tooltip });
  const columns: readonly Column[] = [
    {
      ...{ id: 'month', title: 'Month', kind: 'text', width: 84, pinned: 'start' },
      text: ({ month }) => month.name,
      value: ({ minutes }) => minutes,
      explain: explainMonth,
    },
    {
      ...{ id: 'position', title: 'Position', kind: 'text', width: 148 },
      text: ({ side, month: { name } }) => (side === 'cash' ? `Long perp, short ${name}` : `Short perp, long ${name}`),
      value: ({ side }) => side,
      explain: explainMonth,
    },
    {
      ...{ id: 'days', title: 'To expiry', unit: 'days', kind: 'number', width: 76, smallestFirst: true },
      text: ({ minutes }) => formatDays(minutes),
      value: ({ minutes }) => minutes,
      explain: explainMonth,
    },
    figure(
      'basis',
      'Basis',
      'What the position receives if held to expiry, without the premium of the perpetual then.',
    ),
    figure(
      'inWindow',
      `Funding in ${days} d`,
      `What the settled rates of ${days} days themselves made, received or, if negative, paid: ${
        unit === 'year' ? 'their sum, not scaled to a year' : 'not scaled to expiry'
      }.`,
    ),
    figure(
      'realisedFunding',
      `Funding ${atMean}`,
      `Received ${span} if every rate were the mean settled one of ${days} days. Negative: paid.`,
    ),
    {
      ...figure('realised', `Carry ${atMean}`, `Basis and funding ${span} at the mean settled rate of ${days} days.`),
      tone: ({ realised }) => toTone(realised),
    },
    figure('least', 'At worst premium', 'Carry with the least favourable premium of this window at expiry.'),
    figure('most', 'At best premium', 'Carry with the most favourable premium of this window at expiry.'),
    figure('predictedFunding', '◇ Funding, predicted', 'Received if every rate until expiry were the predicted one.'),
    figure('predicted', '◇ Carry, predicted', 'Basis and funding as predicted: an assumption, no forecast.'),
  ];
  return inputs.isNarrow ? putFirst(columns, ['month', 'realised']) : columns;
}

/** Longer headings need more than their figures. */
function widthOf(title: string): number {
  if (title.length > 22) return 176;
  return title.length > 14 ? 144 : 104;
}

function toTone(quantity: CarryMonth['realised']): string | undefined {
  const value = quantity?.value ?? null;
  if (value === null || value.isZero()) return undefined;
  return value.gt(0) ? 'up' : 'down';
}

function toFigure(
  { unit, isPending, missing }: ColumnInputs,
  { id, title, tooltip }: { readonly id: FigureName; readonly title: string; readonly tooltip: string },
): Column {
  const isPredicted = id === 'predicted' || id === 'predictedFunding';
  const why = (carry: CarryMonth): string | null =>
    id === 'basis' ? carry.refusedBecause : (missing[isPredicted ? 'predicted' : 'realised'] ?? carry.refusedBecause);
  return {
    ...{
      id,
      title,
      tooltip,
      unit: id === 'inWindow' && unit === 'year' ? '%' : CARRY_UNIT_NAMES[unit],
      kind: 'number',
      width: widthOf(title),
    },
    text: (carry) => {
      const quantity = carry[id];
      if (quantity === null) return formatMissing(isPending && why(carry) === null);
      return quantity.withheld === null ? formatCarry(quantity.value, unit) : 'n/a';
    },
    value: (carry) => carry[id]?.value?.toNumber() ?? null,
    explain: (carry) => {
      const quantity = carry[id];
      if (quantity !== null) return describeProvenance(quantity, formatInAllZones);
      return [
        {
          name: 'No value',
          value: why(carry) ?? (isPending ? 'Settled rates are being read.' : 'An input is missing.'),
        },
      ];
    },
  };
}
