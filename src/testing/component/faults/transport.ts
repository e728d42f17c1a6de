import { inText, responding } from './changes.ts';
import { faultsIn, type Change, type Fault, type Place, type Screen } from './fault.ts';

const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';

const DIFFERENT = 'does not match the API';
const NOT_OURS = 'which Perpdesk never sends';

const BROKEN: readonly (readonly [name: string, change: Change, words: string])[] = [
  ['a page instead of JSON', responding(200, 'text/html', PAGE), DIFFERENT],
  ['a truncated response', inText((text) => text.slice(0, Math.floor(text.length / 2))), DIFFERENT],
  ['an empty response', inText(() => ''), DIFFERENT],
  ['a word instead of rows', inText(() => '"maintenance"'), DIFFERENT],
  ['null instead of rows', inText(() => 'null'), DIFFERENT],
  ['an error instead of rows', inText(() => '{"error":"internal"}'), DIFFERENT],
  ['a proxy’s page of failure', responding(502, 'text/html', PAGE), NOT_OURS],
  ['a failure in plain text', responding(500, 'text/plain', 'internal server error'), NOT_OURS],
];

/** One screen for each place, and what it says is missing. A screen with nothing else says nothing more. */
const SEEN: readonly (readonly [place: Place, screen: Screen, missing: string])[] = [
  ['chartPrice', 'Price', ''],
  ['chartVoi', 'Volume / OI', ''],
  ['fundingRates', 'Markets', 'Funding rates not loaded'],
  ['fundingEstimated', 'Funding, one perpetual', 'No predicted rate'],
  ['trailingStats', 'Markets', '24 h volume not loaded'],
  ['productData', 'Markets', 'Last prices not loaded'],
  ['products', 'Markets', ''],
  ['funding', 'Funding, one perpetual', ''],
  ['working', 'Working orders', ''],
  ['orders', 'Order history', ''],
];

/** Responses that are not valid, or were cut off in transit. */
export const TRANSPORT_FAULTS: readonly Fault[] = [
  ...SEEN.flatMap(([place, screen, missing]) => {
    const { shown } = faultsIn([place], [screen]);
    return BROKEN.map(([name, change, words]) => shown(name, 'transport', change, new RegExp(`${missing}.*${words}`)));
  }),
  faultsIn(['chartPrice'], ['Price']).silent(
    'a byte order mark before the JSON',
    'transport',
    inText((text) => `\ufeff${text}`),
    'Decoding the text takes it away: nothing is wrong with the rows.',
  ),
];
