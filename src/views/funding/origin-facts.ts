import type { Source } from '#domain/source.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';

/** Where a figure that was computed from many rows of one response comes from. */
export function toOriginFacts({ target, receivedAt }: Source): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${target}`, code: true },
    { name: 'Received', value: formatInAllZones(receivedAt) },
  ];
}
