import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useCallChoice } from '../shared/use-call-choice.ts';
import { createDraft, type RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { findDraftOrigin } from './use-stored-draft.ts';

interface RuleFormScreenProps {
  /** Without an id, a new rule. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A rule is made, or changed, at an address of its own. */
export function RuleFormScreen({ parameters: { rule_id: id } }: RuleFormScreenProps) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.rules());
  const calls = useCallChoice();
  const from = useAddress().query.get('from') ?? '';
  return (
    <>
      <Toolbar title={id === undefined ? 'New rule' : 'Rule'}>
        <Link to="/rules?show=rules">All rules</Link>
      </Toolbar>
      <ErrorBoundary level={3} of={id}>
        <PanelBody query={query}>
          {({ value: { rules } }) => {
            // A rule that has been deleted since can be created again from its draft.
            const original =
              id === undefined
                ? toNew(from)
                : (toDraft(rules.find((rule) => rule.id === id)) ?? findDraftOrigin(id) ?? undefined);
            if (original === undefined) return <NoSuchRule id={id ?? ''} />;
            return (
              <RuleForm
                key={`${id ?? ''} ${from}`}
                original={original}
                isNew={id === undefined}
                rules={rules}
                calls={calls}
              />
            );
          }}
        </PanelBody>
      </ErrorBoundary>
    </>
  );
}

/** A suggestion to be adapted, or a rule from scratch. */
function toNew(from: string): RuleDraft {
  const suggestion = toDraft(RULE_SUGGESTIONS.find(({ id }) => id === from));
  return suggestion === undefined ? createDraft() : { ...suggestion, enabled: true };
}

function toDraft(rule: Rule | undefined): RuleDraft | undefined {
  return rule === undefined ? undefined : { ...rule };
}

function NoSuchRule({ id }: { readonly id: string }) {
  return (
    <EmptyState title={`No rule “${id}”`} level={3}>
      <p>
        It may have been deleted: <Link to="/rules?show=changes">see the changes</Link>.
      </p>
    </EmptyState>
  );
}
