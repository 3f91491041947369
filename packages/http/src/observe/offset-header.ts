import type { LedgerState } from '@coinlab/core';
import type { Api, Seen } from '../request.js';
import { setHeader } from './late-headers.js';

const NAME = 'Coinlab-Offset';

export interface Positioned {
  readonly host: { readonly isShared: boolean };
  readonly state: LedgerState;
}

/** Adds the offset to responses, because several servers may share a log and a standby may lag behind. */
export function withOffset(
  server: Positioned,
  answer: Api['fetch'],
): (...of: Parameters<Api['fetch']>) => ReturnType<Api['fetch']> {
  return (request, env, executionCtx) => {
    if (!server.host.isShared) return answer(request, env, executionCtx);
    // Before the request: the response has at least this offset.
    const offset = String(server.state.offset);
    // Cast: Hono has no type for what Node's adapter passes.
    const { outgoing } = (env ?? {}) as Pick<Seen, 'outgoing'>;
    if (outgoing) setHeader(outgoing, NAME, offset);
    const add = (response: Response): Response => {
      if (!outgoing) response.headers.set(NAME, offset);
      return response;
    };
    const answered = answer(request, env, executionCtx);
    return answered instanceof Promise ? answered.then(add) : add(answered);
  };
}
