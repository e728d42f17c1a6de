export interface OptionTerms {
  readonly type: 'call' | 'put';
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly volatility: number;
}

/** Black's formula for an option on a future, without discounting: margin is paid daily. */
export function priceOption({ type, forward, strike, years, volatility }: OptionTerms): number {
  const intrinsic = Math.max(0, type === 'call' ? forward - strike : strike - forward);
  const deviation = volatility * Math.sqrt(years);
  if (deviation <= 0) return intrinsic;
  const d1 = Math.log(forward / strike) / deviation + deviation / 2;
  const call = forward * normalCdf(d1) - strike * normalCdf(d1 - deviation);
  return Math.max(intrinsic, type === 'call' ? call : call - forward + strike);
}

/** The standard normal distribution function, by the rational approximation 26.2.17 of Abramowitz and Stegun. */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * tail;
  return x >= 0 ? 1 - above : above;
}
