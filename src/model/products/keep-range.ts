/** The parameters that Price and Volume / OI share. */
const SHARED: readonly string[] = ['range', 'from', 'to', 'bars', 'scale'];

/** Returns the range, bars and scale of an address of Price or Volume / OI. */
export function pickRange(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => SHARED.includes(name)));
}

/** Returns the address of Price or Volume / OI with the range, bars and scale of the present one. */
export function keepRange(path: string, query: URLSearchParams): string {
  const kept = pickRange(query);
  return kept.size === 0 ? path : `${path}?${kept.toString()}`;
}
