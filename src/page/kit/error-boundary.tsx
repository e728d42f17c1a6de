import { Component, type ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import styles from './error-boundary.module.css';

/** The error thrown when code of the page fails to load. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** Suggests a reload: a new version renames its files, so an old page may request files that no longer exist. */
export const LOAD_ADVICE = 'The rest of the page works. Try again, or reload the page if Perpdesk was updated.';

interface Props {
  readonly children: ReactNode;
  /** Level of the error’s heading. */
  readonly level?: 1 | 3;
  /** The input of the content: when it changes, the content is rendered again. */
  readonly of?: unknown;
}

interface State {
  readonly thrown: { readonly error: unknown } | undefined;
  readonly of: unknown;
}

/** Replaces content that failed to render with what happened and what to do. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { thrown: undefined, of: this.props.of };

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { thrown: undefined, of };
  }

  static getDerivedStateFromError(error: unknown): Pick<State, 'thrown'> {
    return { thrown: { error } };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    return thrown === undefined ? (
      this.props.children
    ) : (
      <Failure error={thrown.error} level={this.props.level ?? 1} retry={this.#retry} />
    );
  }

  readonly #retry = (): void => {
    this.setState({ thrown: undefined });
  };
}

const STOPPED = [
  'This part of the page stopped working',
  'This is an error in Perpdesk, not in your data. Try again, or reload the page.',
] as const;

interface FailureProps {
  readonly error: unknown;
  readonly level: 1 | 3;
  readonly retry: () => void;
}

function Failure({ error, level, retry }: FailureProps) {
  const [title, words] =
    error instanceof LoadError ? ['This part of the page could not be loaded', LOAD_ADVICE] : STOPPED;
  return (
    <EmptyState title={title} level={level} urgent>
      <p>{words}</p>
      <p className={styles['actions']}>
        <button type="button" onClick={retry}>
          Try again
        </button>
        <button type="button" onClick={reload}>
          Reload the page
        </button>
      </p>
      <details>
        <summary>Technical details</summary>
        <pre className={styles['details']}>{describe(error)}</pre>
      </details>
    </EmptyState>
  );
}

function reload(): void {
  location.reload();
}

/** Returns the stack, with the message, with which only some browsers begin it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = '' } = error;
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}
