import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CompareFooter } from './compare-footer.tsx';
import type { CompareRow } from './compare-row.ts';
import type { NamedWindow } from './windows.ts';

it('one fault is one fault, and more are faults', () => {
  const rowOf = (faults: number) => ({ chosen: { measures: { prints: 1_000, intervals: 1_200 } }, series: { faults: Array.from({ length: faults }) } }) as unknown as CompareRow;
  const tell = (faults: number): string => renderToStaticMarkup(<CompareFooter rows={[rowOf(faults)]} chosen={{ label: '7 d' } as NamedWindow} />);
  expect(tell(1)).toContain('>1 fault in what was read<');
  expect(tell(1_234)).toContain('>1,234 faults in what was read<');
  expect(tell(0)).toContain('<b>1,000</b> of 1,200 prints in 7 d');
});
