import { Component } from 'react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import styles from './error-boundary.module.css';
import { LoadError, LOAD_ADVICE } from './load-error.ts';

interface Props {
  readonly children: ReactNode;
  /** Level of the heading that takes the place of the content. */
  readonly level?: 1 | 3;
  /** What the content is made of; when it changes, the content is tried again. */
  readonly of?: unknown;
}

interface State {
  readonly thrown: { readonly error: unknown } | undefined;
  readonly of: unknown;
}

/** Replaces content that failed to render by what happened and what to do. */
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

/** Only some browsers start a stack with the message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = '' } = error;
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}
