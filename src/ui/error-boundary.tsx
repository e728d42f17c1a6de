import { Component } from 'react';
import type { ReactNode } from 'react';
import { Face } from './face.tsx';
import styles from './error-boundary.module.css';

interface Props {
  readonly children: ReactNode;
  /** Of the heading of what stands in its place. */
  readonly level?: 1 | 3;
}

interface State {
  readonly thrown: { readonly error: unknown } | undefined;
}

/** Shows, in place of what could not be drawn, what happened and what to do about it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { thrown: undefined };

  static getDerivedStateFromError(error: unknown): State {
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

interface FailureProps {
  readonly error: unknown;
  readonly level: 1 | 3;
  readonly retry: () => void;
}

function Failure({ error, level, retry }: FailureProps) {
  return (
    <Face title="This part of the page stopped working" level={level} urgent>
      <p>
        It was a mistake in the program, not in your data or anything you did. Try it again; if it stops once more,
        reload the page.
      </p>
      <p className={styles['actions']}>
        <button type="button" onClick={retry}>
          Try again
        </button>
        <button type="button" onClick={reload}>
          Reload the page
        </button>
      </p>
      <details>
        <summary>What went wrong</summary>
        <pre className={styles['details']}>{describe(error)}</pre>
      </details>
    </Face>
  );
}

function reload(): void {
  location.reload();
}

/** Only some browsers begin a stack with the message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = '' } = error;
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}
