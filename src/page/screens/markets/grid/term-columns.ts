import { toNumber } from '#contract/exchange/brand.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { showTerm, type TermName, TERMS } from '#model/markets/contract-terms.ts';
import { linkCells } from '#page/kit/grid/cell-widgets.ts';
import type { Navigator } from '#page/kit/navigator.ts';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';
import { DAYS_LEFT } from '#model/tables/markets/pending-columns.ts';

/** Columns for the terms of a contract, from its specification. */
export function createTermColumns(navigator: Navigator): readonly MarketColumn[] {
  const hidden = true;
  return [
    {
      ...DAYS_LEFT,
      tooltip:
        'Time until the final settlement: days of 24 hours, under three days in hours. Perpetuals do not expire.',
      ...textCells('daysLeft'),
      kind: 'number',
      smallestFirst: true,
      value: numberCells('hoursLeft').value,
      tone: ({ expiresSoon }) => (expiresSoon ? 'attention' : 'quiet'),
    },
    {
      id: 'expiry',
      title: 'Expiry',
      unit: 'date',
      tooltip: 'Day of the final settlement, the last trading day.',
      width: 96,
      hidden,
      ...textCells('expiry'),
      kind: 'number',
      smallestFirst: true,
    },
    {
      id: 'strike',
      title: 'Strike',
      unit: 'USD',
      tooltip: 'Strike price of an option, converted by the tick size of its underlying product.',
      width: 82,
      hidden,
      ...numberCells('strike'),
      smallestFirst: true,
    },
    { id: 'right', title: 'Call / put', width: 74, hidden, ...textCells('right') },
    {
      id: 'underlyingProduct',
      title: 'Underlying product',
      tooltip: 'The product that an option is on.',
      width: 116,
      hidden,
      ...textCells('underlyingProduct'),
      ...linkCells<MarketRow>(navigator, { to: toUnderlyingPath }),
    },
    {
      id: 'legs',
      title: 'Legs',
      tooltip: 'The products that a spread buys (+) and sells (−), with the contracts of each.',
      width: 190,
      hidden,
      ...textCells('legs'),
    },
    {
      id: 'contractSize',
      title: 'Contract size',
      tooltip: 'Quantity of the underlying in one contract.',
      width: 100,
      hidden,
      ...numberCells('contractSize'),
    },
    {
      id: 'tickSize',
      title: 'Tick size',
      unit: 'USD',
      tooltip: 'Smallest price step, in USD per unit of the underlying.',
      width: 76,
      hidden,
      ...numberCells('tickSize'),
    },
    {
      id: 'hours',
      title: 'Trading hours',
      unit: 'Chicago',
      tooltip: 'When a session opens and settles. A dated contract opens on the evening before.',
      width: 98,
      hidden,
      ...textCells('hours'),
    },
    { id: 'firstDay', title: 'First trading day', width: 108, hidden, ...textCells('firstDay'), kind: 'number' },
  ];
}

type Cells = Pick<MarketColumn, 'kind' | 'text' | 'value' | 'tone'>;

function textCells(name: TermName): Cells {
  return {
    kind: 'text',
    text: (row) => (row.terms === null ? '…' : showTerm(TERMS[name](row.product, row.terms))),
    value: (row) => row.terms && TERMS[name](row.product, row.terms).value,
    tone: (row) => (row.terms !== null && TERMS[name](row.product, row.terms).isWithheld ? 'attention' : 'quiet'),
  };
}

function numberCells(name: TermName): Cells {
  const cells = textCells(name);
  const toNumeric = (row: MarketRow): number | null => {
    const value = cells.value(row);
    return value === null ? null : Number(value);
  };
  return { ...cells, kind: 'number', value: toNumeric };
}

function toUnderlyingPath({ product: { underlying_product: id } }: MarketRow): string | null {
  return id === undefined ? null : `/price/${String(toNumber(id))}`;
}
