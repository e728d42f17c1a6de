import type { Instant } from '#contract/exchange/instant.ts';
import type { Quantity, ReadProvenance } from '../units/quantity.ts';
import type { CacheOutcome, Source } from '../response.ts';

/** A name with its value, in a list of facts. */
export interface Fact<Value = string> {
  readonly name: string;
  readonly value: Value;
  /** Whether the value is raw text from the exchange, for a monospaced font. */
  readonly code?: boolean;
}

/** One line of a figure's provenance. */
export type ProvenanceLine = Fact;

/** Formats an instant from the exchange, or epoch milliseconds of the browser's clock. */
export type FormatTime = (at: Instant | number) => string;

const CACHE_WORDS: Readonly<Record<CacheOutcome, string>> = {
  'miss': 'read from the exchange',
  'coalesced': 'read from the exchange, shared with an identical request',
  'hit': 'cached by Perpdesk',
  'disk-hit': 'stored by Perpdesk (final)',
  'stale': 'stale: the latest read from the exchange failed',
  'computed': 'composed by Perpdesk from responses of the exchange',
  'unknown': 'unknown',
};

/** Describes where a number comes from, line by line. */
export function describeProvenance(quantity: Quantity, formatTime: FormatTime): readonly ProvenanceLine[] {
  const { provenance, unit, withheld } = quantity;
  const reason = withheld === null ? [] : [{ name: 'Not available', value: withheld }];
  if (provenance.kind === 'read') return [...reason, ...describeRead(provenance, unit, formatTime)];
  const parts = provenance.from.slice(0, MOST_PARTS).flatMap(describePart);
  return [...reason, { name: 'Computed', value: provenance.how }, ...parts];
}

const MOST_PARTS = 4;

function describePart({ provenance }: Quantity): readonly ProvenanceLine[] {
  if (provenance.kind === 'derived')
    return [{ name: 'Input', value: provenance.how }, ...provenance.from.slice(0, MOST_PARTS).flatMap(describePart)];
  const { source, field, wireText, dataTime } = provenance;
  return [
    {
      name: 'Input',
      value: `${source.endpoint} ${field} = ${wireText ?? 'null'}${dataTime === null ? '' : ` (${dataTime})`}`,
      code: true,
    },
  ];
}

/** Describes a value that was read from one field. */
export function describeRead(
  provenance: ReadProvenance,
  unit: string,
  formatTime: FormatTime,
): readonly ProvenanceLine[] {
  const { source, dataTime, spec } = provenance;
  return [
    ...describeField(provenance),
    { name: 'Unit', value: describeConversion(provenance, unit) },
    ...(spec
      ? [
          {
            name: 'Specification',
            value: `${spec.symbol ?? String(spec.productId)} ${spec.field} = ${spec.wireText}`,
            code: true,
          },
        ]
      : []),
    ...(dataTime === null ? [] : [{ name: 'As of', value: dataTime }]),
    ...describeSource(source, formatTime),
  ];
}

type FieldRead = Pick<ReadProvenance, 'source' | 'field' | 'wireText'>;

/** Describes where a field that is not a number, such as a time, comes from. */
export function describeReading(read: FieldRead, formatTime: FormatTime): readonly ProvenanceLine[] {
  return [...describeField(read), ...describeSource(read.source, formatTime)];
}

function describeField({ source, field, wireText }: FieldRead): readonly ProvenanceLine[] {
  return [
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Field', value: field, code: true },
    { name: 'Raw value', value: wireText ?? 'null', code: true },
  ];
}

function describeSource(
  { respondedAt, receivedAt, ageSeconds, cache, requestId }: Source,
  formatTime: FormatTime,
): readonly ProvenanceLine[] {
  return [
    ...(respondedAt === null ? [] : [{ name: 'Exchange responded', value: formatTime(respondedAt) }]),
    { name: 'Received', value: formatTime(receivedAt) },
    { name: 'Data age when received', value: ageSeconds === null ? 'unknown' : `${String(ageSeconds)} s` },
    { name: 'Source', value: CACHE_WORDS[cache] },
    { name: 'Request ID', value: requestId ?? 'unknown', code: true },
  ];
}

function describeConversion({ wireUnit, factor }: ReadProvenance, unit: string): string {
  return factor === '1' ? `${wireUnit}, unconverted` : `${wireUnit} × ${factor} = ${unit}`;
}

/** Describes where a figure comes from, or says why it has no value. */
export function describeFigure(quantity: Quantity | null, formatTime: FormatTime): readonly ProvenanceLine[] {
  return quantity === null
    ? [{ name: 'No value', value: 'not published by the exchange, or an input is missing' }]
    : describeProvenance(quantity, formatTime);
}
