import { getPath } from 'hono/utils/url';
import type { Api } from '../request.js';

const OF_LEDGER = /^\/+(v2(\/|$)|livez$|readyz$)/;

/** Names under which LocalNet serves the JSON Ledger API on the ports of its web pages. */
const LEDGER_NAMES = /^(canton|json-ledger-api)\.localhost(:\d+)?$/i;

export function isLedgerName(host: string): boolean {
  return LEDGER_NAMES.test(host);
}

/** Answers the routes of the JSON Ledger API and 404 for all others, as a participant does on its own port. */
export function ledgerOnly(answer: Api['fetch']): Api['fetch'] {
  return (request, env, executionCtx) => {
    if (OF_LEDGER.test(getPath(request))) return answer(request, env, executionCtx);
    const error = `no such route on this port: ${request.method} ${getPath(request)}; it serves only the JSON Ledger API`;
    return Response.json({ error }, { status: 404 });
  };
}
