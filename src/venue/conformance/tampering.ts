import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { TamperedResponse, TamperedRequest, Tampering } from './tampering-proxy.ts';

/** A way for an exchange to be wrong, and the checks that must detect it, by the beginning of their titles. */
export interface Defect extends Tampering {
  readonly title: string;
  readonly detectedBy: readonly string[];
}

export type Row = Record<string, unknown>;
type When = (request: TamperedRequest) => boolean;

/** Changes the rows that an endpoint returns. */
export function changeRows(name: EndpointName, change: (rows: Row[]) => Row[], when: When = () => true): Tampering {
  return {
    changeResponse: (response, request) => {
      if (request.name !== name || response.status !== 200 || !when(request)) return response;
      const value = JSON.parse(response.text) as Row | Row[];
      return { ...response, text: JSON.stringify(changeValue(value, change)) };
    },
  };
}

function changeValue(value: Row | Row[], change: (rows: Row[]) => Row[]): unknown {
  if (Array.isArray(value)) return change(value);
  if (Array.isArray(value['data'])) return { ...value, data: change(value['data'] as Row[]) };
  return change([value])[0];
}

export const has =
  (...names: readonly string[]): When =>
  ({ query }) =>
    names.every((name) => query.has(name));
export const lacks =
  (name: string): When =>
  ({ query }) =>
    !query.has(name);
export const is =
  (name: string, value: string): When =>
  ({ query }) =>
    query.get(name) === value;

export const every = (change: (row: Row) => Row) => (all: Row[]) => all.map(change);
export const first = (change: (row: Row) => Row) => (all: Row[]) =>
  all.map((row, index) => (index === 0 ? change(row) : row));
export const twice = (all: Row[]) => all.slice(0, 1).concat(all);
export const reversed = (all: Row[]) => all.toReversed();
export const withoutFirst = (all: Row[]) => all.slice(1);
export const withoutLast = (all: Row[]) => all.slice(0, -1);
/** Repeats each order under new ids. */
export const multiplied = (count: number) => (all: Row[]) =>
  all.flatMap((row) =>
    Array.from({ length: count }, (_, copy) => ({ ...row, id: `${String(row['id'])}${String(100 + copy)}` })),
  );
export const set = (values: Row) => (row: Row) => ({ ...row, ...values });
export const plus = (field: string, amount: number) => (row: Row) =>
  row[field] === null ? row : { ...row, [field]: Number(row[field]) + amount };
export const times = (field: string, factor: number) => (row: Row) =>
  row[field] === null ? row : { ...row, [field]: Number(row[field]) * factor };
/** Of a price as text, as charts have them. */
export const scalePrice = (field: string, factor: number) => (row: Row) => ({
  ...row,
  [field]: (Number(row[field]) * factor).toFixed(10),
});
export const later = (field: string, hours: number) => (row: Row) => ({
  ...row,
  [field]: new Date(Date.parse(String(row[field])) + hours * 3_600_000).toISOString(),
});
export const ofCandle = (change: (ohlc: Row) => Row) => (row: Row) => ({ ...row, ohlc: change(row['ohlc'] as Row) });

/** The exchange ignores a parameter. */
export function ignoring(parameter: string, name: EndpointName, when: When = () => true): Tampering {
  return {
    changeQuery: (request) => {
      const query = new URLSearchParams(request.query);
      if (request.name === name && when(request)) query.delete(parameter);
      return query;
    },
  };
}

/** Requests one row more. */
export function oneMore(name: EndpointName, when: When): Tampering {
  return {
    changeQuery: (request) => {
      const query = new URLSearchParams(request.query);
      if (request.name === name && when(request)) query.set('limit', String(Number(query.get('limit')) + 1));
      return query;
    },
  };
}

export function status(name: EndpointName, response: TamperedResponse, when: When = () => true): Tampering {
  return { changeResponse: (good, request) => (request.name === name && when(request) ? response : good) };
}

/** Applies one tampering after the other. */
export function together(...tamperings: readonly Tampering[]): Tampering {
  return {
    changeResponse: (good, request) =>
      tamperings.reduce((response, tampering) => tampering.changeResponse?.(response, request) ?? response, good),
  };
}

export const json = (text: string): TamperedResponse => ({ status: 200, type: 'application/json', text });
