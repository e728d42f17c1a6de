import { useQuery } from '@tanstack/react-query';
import type { Alert } from '#contract/desk/alerts.ts';
import { findNamed } from '#model/rules/alert-tabs.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { alertParam, linkParam, subjectParam } from './alert-address.ts';

/**
 * The alert that the address names, which may have an alias in place of a code, and how to forget it. `link`: by which
 * link of a notification to acknowledge it; empty if by none, or if the alert of that subject is no longer listed.
 */
export function useNamedAlert(
  alerts: readonly Alert[],
): readonly [named: Alert | null, forget: () => void, link: string] {
  const { queries } = useApi();
  const [ruleId, setRuleId] = useUrlState(alertParam);
  const [subject, setSubject] = useUrlState(subjectParam);
  const [link, setLink] = useUrlState(linkParam);
  const aliases = useQuery({ ...queries.desk.aliases({}), enabled: subject !== '' }).data?.value.aliases;
  const code = aliases?.find(({ alias }) => alias === subject)?.code ?? subject;
  const named = ruleId === '' ? null : findNamed(alerts, ruleId, code);
  return [
    named,
    () => {
      if (ruleId !== '') setRuleId('');
      if (subject !== '') setSubject('');
      if (link !== '') setLink('');
    },
    named?.group === code ? link : '',
  ];
}
