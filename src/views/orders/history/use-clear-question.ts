import { useNavigator } from '#ui/navigation/navigation.tsx';
import type { ListControl } from '../use-list-state.ts';
import { RANGE_PARAMS } from './question.ts';

/** Takes every filter off, the range of time too. */
export function useClearQuestion(list: ListControl): () => void {
  const navigator = useNavigator();
  return () => {
    list.set({ ...list.state, filters: {}, quick: '' });
    const address = new URL(navigator.read(), 'http://page');
    for (const param of Object.values(RANGE_PARAMS)) param.write(address.searchParams, '');
    navigator.go(address.pathname + address.search + address.hash, 'replace');
  };
}
