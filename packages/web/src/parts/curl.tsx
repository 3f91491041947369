import type { JSX } from 'preact';
import type { Call } from '../api/call.js';
import { curlOf } from '../api/curl.js';
import { CopyButton } from './copy-button.js';

/** The screen shows a variable instead of the token; the copy has the token. */
export function Curl({ call }: { readonly call: Call }): JSX.Element {
  const base = document.baseURI;
  return (
    <details class="curl">
      <summary>Request as curl</summary>
      <pre tabIndex={0} aria-label="curl command">
        {curlOf(call, base)}
      </pre>
      <CopyButton text={curlOf(call, base, call.token === null ? {} : { token: call.token })} what="the command" />
    </details>
  );
}
