import { useCallback } from 'react';
import { useAddress, useNavigator } from '#page/kit/navigation.tsx';

/** Opens another product and keeps the range, scale and other parameters of the address. */
export function useOpenProduct(): (name: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return useCallback(
    (name) => {
      const search = query.toString();
      navigator.go(`/price/${encodeURIComponent(name)}${search === '' ? '' : `?${search}`}`);
    },
    [navigator, query],
  );
}
