import { Component } from 'react';
import type { ReactNode } from 'react';
import { Face } from './face.tsx';
import styles from './error-boundary.module.css';
import { LoadError, NOT_LOADED } from './load-error.ts';

interface Props {
  readonly children: ReactNode;
  /** Of the heading of what stands in its place. */
  readonly level?: 1 | 3;
  /** What is drawn is of this: another one is tried anew, as it may be fine. */
  readonly of?: unknown;
}

interface State {
  readonly thrown: { readonly error: unknown } | undefined;
  readonly of: unknown;
}

/** Shows, in place of what could not be drawn, what happened and what to do about it. */
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
  'It was a mistake in the program, not in your data or anything you did. Try it again; if it stops once more, reload the page.',
] as const;

interface FailureProps {
  readonly error: unknown;
  readonly level: 1 | 3;
  readonly retry: () => void;
}

function Failure({ error, level, retry }: FailureProps) {
  const [title, words] = error instanceof LoadError ? ['This part of the page did not come', NOT_LOADED] : STOPPED;
  return (
    <Face title={title} level={level} urgent>
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
