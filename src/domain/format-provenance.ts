import type { Instant } from '#contract/instant.ts';
import type { Quantity, ReadProvenance } from './quantity.ts';
import type { CacheUse } from './source.ts';

/** A line of the answer to "where does this number come from". */
export interface ProvenanceLine {
  readonly name: string;
  readonly value: string;
  /** As it was on the wire. */
  readonly code?: boolean;
}

/** Tells a moment of the wire, or one of this browser's clock in epoch milliseconds. */
type FormatTime = (at: Instant | number) => string;

const CACHE_WORDS: Readonly<Record<CacheUse, string>> = {
  venue: 'read from the venue for this question',
  shared: 'read from the venue, for several at once',
  memory: 'from the desk’s memory',
  settled: 'kept by the desk: it never changes again',
  stale: 'an old answer, because the venue failed',
  desk: 'the desk’s own',
  unknown: 'not told',
};

/** Where a number comes from, line by line; times as the page tells them. */
export function describeProvenance(quantity: Quantity, formatTime: FormatTime): readonly ProvenanceLine[] {
  const { provenance, unit, withheld } = quantity;
  const reason = withheld === null ? [] : [{ name: 'Withheld', value: withheld }];
  if (provenance.kind === 'read') return [...reason, ...describeRead(provenance, unit, formatTime)];
  const parts = provenance.from.slice(0, MOST_PARTS).flatMap((part) => describePart(part));
  return [...reason, { name: 'Computed', value: provenance.how }, ...parts];
}

const MOST_PARTS = 4;

function describePart({ provenance }: Quantity): readonly ProvenanceLine[] {
  if (provenance.kind === 'derived') return [{ name: 'From', value: provenance.how }];
  const { source, field, wireText, dataTime } = provenance;
  return [{ name: 'From', value: `${source.endpoint} ${field} = ${wireText ?? 'null'}${dataTime === null ? '' : ` (${dataTime})`}`, code: true }];
}

function describeRead(provenance: ReadProvenance, unit: string, formatTime: FormatTime): readonly ProvenanceLine[] {
  const { source, field, wireText, dataTime, spec } = provenance;
  return [
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Field', value: field, code: true },
    { name: 'Wire', value: wireText ?? 'null', code: true },
    { name: 'Unit', value: describeConversion(provenance, unit) },
    ...(spec ? [{ name: 'Specification', value: `${spec.symbol ?? String(spec.productId)} ${spec.field} = ${spec.wireText}`, code: true }] : []),
    ...(dataTime === null ? [] : [{ name: 'Figure of', value: dataTime }]),
    ...(source.answeredAt === null ? [] : [{ name: 'Venue answered', value: formatTime(source.answeredAt) }]),
    { name: 'Received', value: formatTime(source.receivedAt) },
    { name: 'Age then', value: source.ageSeconds === null ? 'not told' : `${String(source.ageSeconds)} s` },
    { name: 'Answer', value: CACHE_WORDS[source.cache] },
    { name: 'Request', value: source.requestId ?? 'not told', code: true },
  ];
}

function describeConversion({ wireUnit, factor }: ReadProvenance, unit: string): string {
  return factor === '1' ? `${wireUnit}, as it came` : `${wireUnit} × ${factor} = ${unit}`;
}
