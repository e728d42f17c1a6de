import { expect, test } from 'vitest';
import type { Key } from '#testing/corrupt.ts';
import { listOddities } from '#testing/odd-values.ts';
import { isAmount, isUsdText } from '../exchange/amounts.ts';
import { isDay, isInstant } from '../exchange/instant.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../exchange/endpoints.ts';
import { toShape, type Shape } from '../exchange/schema.ts';
import { typesOf } from './check.ts';
import { createParser } from './parse.ts';

function shapeAt(shape: Shape, [key, ...rest]: readonly Key[]): Shape {
  if (key === undefined) return shape;
  const inner = typeof key === 'number' ? shape.items : shape.properties?.[key];
  return shapeAt(inner ?? expect.fail(`no shape of ${String(key)}`), rest);
}

/** Returns why a screen may use a value although no deviation was reported; null: it must not. */
function whyHarmless(shape: Shape, value: unknown): string | null {
  const types = typesOf(shape);
  if (value === null) return types.includes('null') ? 'null is no value' : null;
  if (Array.isArray(value)) return types.includes('array') && value.length === 0 ? 'a list may be empty' : null;
  if (typeof value === 'number') return whyHarmlessNumber(shape, value);
  return typeof value === 'string' && types.includes('string') ? whyHarmlessText(shape, value) : null;
}

function whyHarmlessText(shape: Shape, value: string): string | null {
  if (shape.enum !== undefined || !value.isWellFormed()) return null;
  if (shape['x-unit'] === 'usd')
    return isUsdText(value) ? 'a decimal is a price; a negative one may be that of a spread' : null;
  if (shape.format === 'date') return isDay(value) ? 'it is a day' : null;
  if (shape.format === 'date-time') return isInstant(value) ? 'it is an instant' : null;
  return shape.pattern === undefined || new RegExp(shape.pattern).test(value) ? 'a text is shown as it came' : null;
}

function whyHarmlessNumber(shape: Shape, value: number): string | null {
  const isPossible = isAmount(value) && value >= (shape.minimum ?? -Infinity);
  if (typesOf(shape).includes('number'))
    return isPossible ? 'the domain decides which prices and rates are possible' : null;
  return typesOf(shape).includes('integer') && isPossible && Number.isSafeInteger(value)
    ? 'a whole number is possible'
    : null;
}

test.each(ENDPOINT_NAMES)('%s: an odd value in any field is a deviation or harmless, and nothing throws', (name) => {
  const { response } = ENDPOINTS[name];
  const parser = createParser(response);
  const oddities = listOddities(name);
  const silent = oddities.filter(
    ({ text, keys, json }) =>
      parser.tolerant(text).deviations.length === 0 &&
      whyHarmless(shapeAt(toShape(response), keys), JSON.parse(json)) === null,
  );
  expect(silent.map(({ path, json }) => `${path}: ${json}`)).toEqual([]);
  expect(oddities.length).toBeGreaterThan(0);
  console.info(
    `${name}: ${String(new Set(oddities.map(({ path }) => path)).size)} fields × ${String(new Set(oddities.map(({ json }) => json)).size)} values`,
  );
});
