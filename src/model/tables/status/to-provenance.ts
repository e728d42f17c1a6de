import type { ApiResponse } from '../../response.ts';
import type { Fact } from '../../format/fact.ts';
import { formatInAllZones } from '../../format/format-time.ts';

/** The provenance of a figure from one of the desk's own responses. */
export function toProvenance(response: ApiResponse<unknown>, field: string, raw: unknown): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${response.target}`, code: true },
    { name: 'Field', value: field, code: true },
    { name: 'Raw value', value: JSON.stringify(raw), code: true },
    { name: 'Conversion', value: 'none' },
    { name: 'Received', value: formatInAllZones(response.receivedAt) },
    { name: 'Request ID', value: response.requestId ?? 'unknown', code: true },
  ];
}
