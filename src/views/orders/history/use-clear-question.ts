import { useNavigator, writeQuery } from '#ui/navigation/navigation.tsx';
import type { ListControl } from '../use-list-state.ts';
import { ASKED_PARAMS } from './question.ts';

/** Takes every filter off, also those that are of no column. */
export function useClearQuestion(list: ListControl): () => void {
  const navigator = useNavigator();
  return () => {
    list.set({ ...list.state, filters: {}, quick: '' });
    writeQuery(navigator, (query) => {
      for (const param of Object.values(ASKED_PARAMS)) param.write(query, '');
    });
  };
}
