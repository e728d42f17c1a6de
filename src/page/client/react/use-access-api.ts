import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { ProblemError } from '../errors.ts';
import { createDeskHooks, type Run } from './create-desk-hooks.ts';
import type { ApiClient } from './use-api.tsx';

/** If an action needs a recent sign-in, asks the person to confirm it, then repeats the action. */
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

/**
 * People, sign-in sessions and tokens, and the actions that change them. After each action, the page reads again who is
 * signed in.
 */
export const [useAccessApi, useAccessAction] = createDeskHooks(
  ACCESS_ENDPOINTS,
  ACCESS_ACTIONS,
  ({ access }) => access.check(),
  withConfirmation,
);
