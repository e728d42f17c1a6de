import type { FundingQuery, Store } from '../core/ports.ts';
import { limitTo, type Read } from '#sql/driver.ts';
import { columnsOf } from '#sql/tables.ts';
import { funding, isAmong, sessions } from './tables.ts';

/** Sessions settled within a range, its end excluded. */
export function sessionsRead({ productIds, from, until }: Parameters<Store['sessions']>[0]): Read {
  const which = productIds === undefined ? '' : `${isAmong('product_id', 3)} AND `;
  const sql = `SELECT ${columnsOf(sessions)} FROM sessions
    WHERE ${which}settled_at >= $1 AND settled_at < $2 ORDER BY settled_at, product_id`;
  const name = productIds === undefined ? 'all sessions' : 'sessions';
  return { name, sql, values: [from, until, ...(productIds === undefined ? [] : [productIds])] };
}

/** Intervals that ended within a range, its end excluded, after a position. */
export function fundingRead(query: FundingQuery): Read {
  const { productIds, from, until, direction, after, limit } = query;
  const forward = direction === 'asc';
  // Both ends are positions between intervals, so that one statement serves every combination. No product has the id -1.
  const above = forward && after && after.end >= from ? [after.end, after.productId] : [from, -1];
  const below = !forward && after && after.end < until ? [after.end, after.productId] : [until, -1];
  const one = productIds.length === 1;
  const which = one ? 'product_id = $6' : isAmong('product_id', 6);
  const word = forward ? 'ASC' : 'DESC';
  const sql = `SELECT ${columnsOf(funding)} FROM funding
    WHERE ${which} AND (end_at, product_id) > ($1, $2) AND (end_at, product_id) < ($3, $4)
    ORDER BY end_at ${word}, product_id ${word} ${limitTo(5)}`;
  const name = `funding of ${one ? 'one' : 'several'} ${direction}`;
  return { name, sql, values: [...above, ...below, limit, one ? (productIds[0] ?? -1) : productIds] };
}

export function latestFundingRead(productIds: readonly number[]): Read {
  const listed = columnsOf(funding).replaceAll(/\w+/g, 'f.$&');
  const sql = `SELECT ${listed} FROM json_each($1) AS p JOIN funding f ON f.product_id = p.value
    AND f.end_at = (SELECT max(g.end_at) FROM funding g WHERE g.product_id = p.value) ORDER BY f.product_id`;
  return { name: 'latest funding', sql, values: [[...new Set(productIds)]] };
}
