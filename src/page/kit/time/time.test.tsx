import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Time } from './time.tsx';

it('has a machine-readable time, and does not throw for an invalid one', () => {
  expect(renderToStaticMarkup(<Time at={0}>then</Time>)).toBe('<time dateTime="1970-01-01T00:00:00.000Z">then</time>');
  expect(renderToStaticMarkup(<Time at="2026-06-01T00:00:00.123456789Z">then</Time>)).toContain(
    'dateTime="2026-06-01T00:00:00.123456789Z"',
  );
  expect(renderToStaticMarkup(<Time at={NaN}>–</Time>)).toBe('<time>–</time>');
});
