import { describe, expect, it } from 'vitest';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { FUNDING_SIDES } from '../../funding/funding-rate.ts';
import { measureWindow } from '../../funding/funding-window.ts';
import type { Source } from '../../response.ts';
import { asRate, toQuantity } from '../../units/quantity.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { inForm, toRealised } from './realised.ts';

const source = { endpoint: 'desk/funding' } as Source;
const prints = toWirePrints([printAt(0, '-0.0008809'), printAt(1, '-0.0008809')]);
const [print] = prints;
if (print === undefined) throw new Error('no settled rate');

/** Computed in Python: `(1 + Decimal('0.0008809')) ** 1095 - 1`, and the same with a negative rate. */
const [RECEIVED, PAID] = ['1.622586114780315', '-0.619020839175370'];

describe('the APY of a rate that shorts pay', () => {
  const apy = { market: PAID, long: RECEIVED, short: PAID };

  it.each(FUNDING_SIDES)('compounds what a position receives: %s', (side) => {
    const rate = toQuantity({ source, dataTime: print.interval_end }, print, 'funding_rate', asRate);
    expect(inForm(rate, { form: 'apy', side, interval: print }).value?.toFixed(15)).toBe(apy[side]);
  });

  it.each(FUNDING_SIDES)('is the same of a window of equal rates: %s', (side) => {
    const series = createFundingSeries({ prints, knownFrom: null, reachesLaunch: true });
    const window = { from: Date.parse(fundingTimeAt(0)), to: Date.parse(fundingTimeAt(2)) };
    expect(
      toRealised({ series, source }, window, measureWindow(series, window), 'apy', side).mean.value?.toFixed(15),
    ).toBe(apy[side]);
  });
});
