import type { Navigator } from './navigator.ts';
import type { UrlParam } from '#model/format/url-param.ts';

export function writeParam<T>(
  navigator: Navigator,
  param: UrlParam<T>,
  value: T,
  how: 'push' | 'replace' = 'replace',
): void {
  writeQuery(
    navigator,
    (query) => {
      param.write(query, value);
    },
    how,
  );
}

/** Sets several parameters at once; a change of subject is pushed as its own history entry. */
export function writeQuery(
  navigator: Navigator,
  write: (query: URLSearchParams) => void,
  how: 'push' | 'replace' = 'replace',
): void {
  const address = new URL(navigator.read(), 'http://page');
  write(address.searchParams);
  navigator.go(address.pathname + address.search + address.hash, how);
}
