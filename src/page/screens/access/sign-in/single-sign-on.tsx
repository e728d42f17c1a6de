import { useEffect, useState } from 'react';
import { OIDC_PATHS } from '#contract/desk/access.ts';
import { FAILURE_FRAGMENT } from '#contract/desk/oidc.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { findFailure } from './sign-in-failures.ts';
import styles from './sign-in.module.css';

interface SingleSignOnProps {
  /** Whether nobody was signed in on this page before: a failure in its address is then older. */
  readonly isFirst: boolean;
}

/** The provider leads back to where one wanted to go; after a failure, to this screen, with a code in the fragment. */
export function SingleSignOn({ isFirst }: SingleSignOnProps) {
  const [failure] = useState(() => (isFirst ? findFailure(location.hash) : null));
  useEffect(() => {
    // A page that is loaded again must not repeat it.
    if (location.hash.startsWith(FAILURE_FRAGMENT))
      history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  useAnnounced(failure === null ? null : `${failure.happened} ${failure.remedy}`, true);
  const query = new URLSearchParams({
    to: location.pathname + location.search,
    ...(failure?.asksAgain === true && { prompt: 'login' }),
  });
  return (
    <>
      {failure !== null && (
        <div className={styles['failed']}>
          <p>
            <b>{failure.happened}</b>
          </p>
          <p>{failure.remedy}</p>
        </div>
      )}
      <a className={styles['continue']} href={`${OIDC_PATHS.begin}?${query.toString()}`}>
        {failure === null
          ? 'Continue with single sign-on'
          : failure.asksAgain
            ? 'Sign in as another person'
            : 'Sign in again'}
      </a>
    </>
  );
}
