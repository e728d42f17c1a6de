import type { Source } from '../../source.ts';
import type { Fact } from '../../format/fact.ts';
import { formatInAllZones } from '../../format/format-time.ts';

/** Where a figure that was computed from many rows of one response comes from. */
export function toOriginFacts({ target, receivedAt }: Source): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${target}`, code: true },
    { name: 'Received', value: formatInAllZones(receivedAt) },
  ];
}
