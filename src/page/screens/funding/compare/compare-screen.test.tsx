import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { FundingSide, RateForm } from '#model/funding/funding-rate.ts';
import { CompareFooter } from './compare-screen.tsx';
import type { CompareRow } from '#model/tables/funding/compare-row.ts';
import type { NamedWindow } from '#model/tables/funding/realised.ts';

function render(faults: number, form: RateForm = 'apr', side: FundingSide = 'market'): string {
  const row = {
    chosen: { measures: { prints: 1_000, intervals: 1_200 } },
    series: { faults: Array.from({ length: faults }) },
  } as unknown as CompareRow;
  return renderToStaticMarkup(
    <CompareFooter rows={[row]} total={1} chosen={{ label: '7 d' } as NamedWindow} {...{ form, side }} />,
  );
}

it('counts settled rates and data faults', () => {
  expect(render(1)).toContain('>1 data fault<');
  expect(render(1_234)).toContain('>1,234 data faults<');
  expect(render(0)).toContain('<b>1,000</b> of 1,200 settled rates in 7 d');
});

it('explains the chosen rate basis and no other', () => {
  expect(render(0, 'apr')).toContain('APR = mean');
  for (const [form, formula] of [
    ['interval', 'Mean = '],
    ['day', 'Daily rate = '],
    ['apy', 'APY = '],
  ] as const) {
    expect(render(0, form)).toContain(formula);
    expect(render(0, form)).not.toContain('APR = ');
  }
});

it('states the formula of a long position, which pays positive rates', () => {
  expect(render(0, 'apy', 'long')).toContain('APY = (1 − mean of the settled rates)^1,095 − 1.');
  expect(render(0, 'apr', 'long')).toContain('APR = −mean of the settled rates');
  expect(render(0, 'apy', 'short')).toContain('APY = (1 + mean of the settled rates)^1,095 − 1.');
});
