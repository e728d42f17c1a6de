import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { NO_REFETCH } from '#page/client/refetch-options.ts';
import type { Rule } from '#contract/desk/rules.ts';

/** So long after the last change it is tried. */
const PAUSE_MS = 500;

/** The trial of a rule; of null, which is no rule yet, there is none. */
export function useTrial(rule: Rule | null) {
  const { actions } = useRulesApi();
  const tried = useSettled(rule === null ? '' : JSON.stringify(rule));
  return useQuery({
    queryKey: ['desk/tryRule', tried],
    queryFn: () => actions.tryRule({ body: { rule: JSON.parse(tried) as Rule } }),
    enabled: tried !== '',
    retry: false,
    ...NO_REFETCH,
  });
}

/** The text, once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return text === '' ? '' : settled;
}
