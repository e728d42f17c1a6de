import type { Source } from '#model/source.ts';
import type { Fact } from '#model/format/fact.ts';
import { formatInAllZones } from '#model/format/format-time.ts';

/** Where a figure that was computed from many rows of one response comes from. */
export function toOriginFacts({ target, receivedAt }: Source): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${target}`, code: true },
    { name: 'Received', value: formatInAllZones(receivedAt) },
  ];
}
