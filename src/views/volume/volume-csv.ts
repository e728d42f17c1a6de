import type { NamedProduct } from '#domain/find-product.ts';
import { wireCells } from './wire-cells.ts';
import { toCsv } from '#ui/csv.ts';
import type { VoiAnswer } from './use-voi.ts';

const HEADING = [
  ...['date', 'product_id', 'base_symbol', 'products_in_row', 'volume_contracts', 'volume_usd', 'volume_cents_wire'],
  ...['open_interest_contracts', 'open_interest_usd', 'open_interest_cents_wire'],
  ...['endpoint', 'request', 'answered_at', 'received_at', 'age_s', 'from', 'request_id'],
];

/** The venue's rows as they came, with their conversions and where they come from. */
export function toVolumeCsv(answer: VoiAnswer, products: readonly NamedProduct[], shown: 'total' | 'stacked'): string {
  const together = shown === 'total' ? products.map(({ name }) => name).join(' ') : null;
  const proof = [answer.endpoint, `GET ${answer.target}`, answer.answeredAt, new Date(answer.receivedAt).toISOString(), answer.ageSeconds, answer.cache, answer.requestId];
  return toCsv(HEADING, answer.value.map((row) => [...wireCells(row, together), ...proof]));
}
