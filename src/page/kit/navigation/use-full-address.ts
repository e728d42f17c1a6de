import { useEffect } from 'react';
import { useAddress, useNavigator } from './navigation.tsx';

/** Replaces an address that leaves to the browser what is shown, so that a link to it shows others the same. `write` gives the path; null: the address says it itself. */
export function useFullAddress(write: ((query: URLSearchParams) => string) | null): void {
  const navigator = useNavigator();
  const { query } = useAddress();
  const address = write && toAddress(write, new URLSearchParams(query));
  useEffect(() => {
    if (address !== null) navigator.go(address, 'replace');
  }, [navigator, address]);
}

function toAddress(write: (query: URLSearchParams) => string, query: URLSearchParams): string {
  const path = write(query);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
