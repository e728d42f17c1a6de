import { changeRows, every, first, ofCandle, plus, scalePrice, times, type Defect } from './tampering.ts';

export const SESSION_PRICE_TAMPERINGS: readonly Defect[] = [
  {
    title: 'settlement prices are 20 % too high',
    detectedBy: ['a settlement price is'],
    ...changeRows('chartPrice', every(scalePrice('settlementPrice', 1.2))),
  },
  {
    title: 'marks are 20 % too high',
    detectedBy: ['a funding mark, in USD'],
    ...changeRows('fundingRates', every(times('mark_price', 1.2))),
  },
  {
    title: 'the low of a day is half of what it is',
    detectedBy: ['no price of a session is far'],
    ...changeRows('chartPrice', first(ofCandle(scalePrice('low', 0.5)))),
  },
  {
    title: 'trailing notional is 20 % too large',
    detectedBy: ['the mean price of the last 24 hours'],
    ...changeRows('trailingStats', every(times('notionalVolume', 1.2))),
  },
  {
    title: 'notional open interest is two cents too large',
    detectedBy: ['notional open interest is the settlement price'],
    ...changeRows('chartVoi', every(plus('notionalOpenInterest', 2))),
  },
];
