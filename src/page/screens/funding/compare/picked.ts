import { parseAddress, type Navigator } from '#page/kit/navigation/navigator.ts';
import { writeParam } from '#page/kit/navigation/write-query.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';

/** Whether a perpetual is charted, by the address. */
export function isPicked(navigator: Navigator, symbol: string): boolean {
  return readPicked(navigator).includes(symbol);
}

export function togglePicked(navigator: Navigator, symbol: string): void {
  const picked = readPicked(navigator);
  writeParam(
    navigator,
    COMPARE_PARAMS.picked,
    picked.includes(symbol) ? picked.filter((other) => other !== symbol) : [...picked, symbol],
  );
}

function readPicked(navigator: Navigator): readonly string[] {
  return COMPARE_PARAMS.picked.read(parseAddress(navigator.read()).query);
}
