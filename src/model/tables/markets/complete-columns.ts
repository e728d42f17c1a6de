import { formatReadAge } from '../../funding/read-age.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Clock } from '../clock.ts';
import type { MarketColumn } from './figure-cells.ts';
import { headerTooltips } from './header-tooltips.ts';

/** Adds to the columns what the first prices need not wait for: their headers’ tooltips, and ages of predicted rates. */
export function completeColumns(columns: readonly MarketColumn[], clock: Clock): readonly MarketColumn[] {
  return columns.map((column) => {
    const tooltip = headerTooltips[column.id];
    return {
      ...(column.id === 'estimate' ? withReadAge(column, clock) : column),
      ...(tooltip !== undefined && { tooltip }),
    };
  });
}

/**
 * Puts before each rate how long ago it was read. Predicted rates are read more seldom than the rest of the list, whose
 * age says nothing about theirs.
 */
function withReadAge(column: MarketColumn, clock: Clock): MarketColumn {
  const ageOf = ({ funding }: MarketRow): string => {
    const read = funding?.estimate?.provenance;
    return read?.kind === 'read' ? formatReadAge(read.source, clock.read(), 'm ') : '';
  };
  return {
    ...column,
    // So short that a laptop’s screen still shows the countdown.
    text: (row) => `${ageOf(row)}${column.text(row)}`,
    copied: column.text,
    watch: clock.subscribe,
  };
}
