import type { Answer } from '#api/answer.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';

/** Where a figure of the desk's own answers comes from. */
export function toProvenance(answer: Answer<unknown>, field: string, wire: unknown): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${answer.target}`, code: true },
    { name: 'Field', value: field, code: true },
    { name: 'Wire', value: JSON.stringify(wire), code: true },
    { name: 'Conversion', value: 'none' },
    { name: 'Received', value: formatInAllZones(answer.receivedAt) },
    { name: 'Request', value: answer.requestId ?? 'not told', code: true },
  ];
}
