import type { ComponentChildren, JSX } from 'preact';
import type { Problem } from '../api/call.js';
import type { Resource } from '../store/resource.js';

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

const TITLES: Readonly<Record<Problem['kind'], string>> = {
  refused: 'Refused',
  unauthorised: 'Not allowed',
  absent: 'Not found',
  failed: 'The server failed',
  unreachable: 'No connection',
  slow: 'No answer',
};

export function Failure({ problem, retry }: { readonly problem: Problem; readonly retry?: () => void }): JSX.Element {
  return (
    <div class={`failure ${problem.kind}`} role="alert">
      <p>
        <strong>{TITLES[problem.kind]}.</strong> <bdi>{problem.message}</bdi>
      </p>
      {retry ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

interface LoadedProps<Body> {
  readonly resource: Resource<Body>;
  /** Text for screen readers, such as `the coins`. */
  readonly what: string;
  readonly children: (body: Body) => ComponentChildren;
}

/** A body stays on the screen while a newer one loads. */
export function Loaded<Body>({ resource, what, children }: LoadedProps<Body>): JSX.Element {
  const body = resource.body.value;
  const problem = resource.problem.value;
  if (body === null) {
    if (problem) return <Failure problem={problem} retry={resource.reload} />;
    return (
      <p class="loading" role="status">
        Loading {what} …
      </p>
    );
  }
  return (
    <>
      {problem ? <Failure problem={problem} retry={resource.reload} /> : null}
      {children(body)}
    </>
  );
}
