import type { JSX } from 'preact';
import { dismiss, notices, type Notice } from '../store/notices.js';
import { Curl } from './curl.js';

export function Notices(): JSX.Element {
  return (
    <div class="notices" role="region" aria-label="Outcomes" aria-live="polite">
      {notices.value.map((notice) => (
        <Outcome key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Outcome({ notice: { id, text, call, problem } }: { readonly notice: Notice }): JSX.Element {
  return (
    <div class={problem === null ? 'notice' : 'notice refused'}>
      <p>
        <strong>{text}</strong>
        {problem === null ? null : (
          <>
            {' '}
            <bdi>{problem.message}</bdi>
          </>
        )}
      </p>
      {call === null ? null : <Curl call={call} />}
      <button type="button" class="close" aria-label={`Dismiss: ${text}`} onClick={() => dismiss(id)}>
        ×
      </button>
    </div>
  );
}
