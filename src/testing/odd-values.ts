import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { fieldsOf, replaceAt, type Key } from './corrupt.ts';
import { sampleResponses } from './sample-responses.ts';

/** The value as JSON text, because a number beyond the range of floats has no other form. */
const ODD_VALUES: readonly string[] = [
  ...['null', 'true', 'false', '[]', '[1]', '[[]]', '{}', '{"price":1}', '{"__proto__":null}'],
  ...[
    '0',
    '-0',
    '-1',
    '0.5',
    '-0.000001',
    '1e-400',
    '9007199254740993',
    '-9007199254740993',
    '1e22',
    '-1e22',
    '1e30',
    '-1e30',
    '1e-30',
    '1e308',
    '-1e308',
    '1e-300',
    '1e400',
    '-1e400',
  ],
  ...[
    '',
    ' ',
    'abc',
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '1e5',
    '1e400',
    '+1',
    '-1.0',
    '1.',
    '.5',
    '116,680.00',
    '1 000',
    'null',
    'true',
  ].map((text) => JSON.stringify(text)),
  ...[
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
    '9999-12-31',
    '2026-08-17T24:00:00Z',
    '2026-08-17T00:00:00+02:00',
    'now',
  ].map((text) => JSON.stringify(text)),
  ...['١٢', '１２', '\u202e12', '💥', '\u0000', '<b>1</b>', '__proto__', '9'.repeat(1_000)].map((text) =>
    JSON.stringify(text),
  ),
  ...['"\\ud800"', '"\\udc00\\ud800"'],
];

export interface Oddity {
  /** The place of the value, as in `$[0].ohlc.low`. */
  readonly path: string;
  readonly keys: readonly Key[];
  /** The value as JSON. */
  readonly json: string;
  /** The response as JSON text. */
  readonly text: string;
}

const PLACE = '@odd value@';

/** Generates an endpoint's response with each odd value in each field of its row, one at a time. */
export function listOddities(name: EndpointName): readonly Oddity[] {
  const sample: unknown = sampleResponses[name];
  const row = Array.isArray(sample) ? '$[0].' : 'data' in (sample as object) ? '$.data[0].' : '$.';
  const fields = fieldsOf(sample).filter(({ path }) => path.startsWith(row));
  return fields.flatMap(({ path, keys }) => {
    const [before = '', after = ''] = JSON.stringify(replaceAt(sample, keys, PLACE)).split(JSON.stringify(PLACE));
    return ODD_VALUES.map((json) => ({ path, keys, json, text: before + json + after }));
  });
}
