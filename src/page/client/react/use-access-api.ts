import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { ProblemError } from '../errors.ts';
import { createDeskHooks, type Run } from './create-desk-hooks.ts';
import type { ApiClient } from './use-api.tsx';

/** What needs a recent sign-in goes on once the person has confirmed that it is them. */
const withConfirmation =
  ({ access }: ApiClient): Run =>
  async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ProblemError && error.type === 'recent-sign-in-needed' && (await access.confirm())))
        throw error;
      return act();
    }
  };

/** People, sessions and tokens, and what changes them, who is signed in included. */
export const [useAccessApi, useAccessAction] = createDeskHooks(
  ACCESS_ENDPOINTS,
  ACCESS_ACTIONS,
  ({ access }) => access.check(),
  withConfirmation,
);
