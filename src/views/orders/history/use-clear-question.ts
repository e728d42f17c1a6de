import { useNavigator } from '#ui/navigation/navigation.tsx';
import type { ListControl } from '../use-list-state.ts';
import { ASKED_PARAMS } from './question.ts';

/** Takes every filter off, also those that are of no column. */
export function useClearQuestion(list: ListControl): () => void {
  const navigator = useNavigator();
  return () => {
    list.set({ ...list.state, filters: {}, quick: '' });
    const address = new URL(navigator.read(), 'http://page');
    for (const param of Object.values(ASKED_PARAMS)) param.write(address.searchParams, '');
    navigator.go(address.pathname + address.search + address.hash, 'replace');
  };
}
