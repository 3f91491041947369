import { Problem } from '../problem.js';
import { cantonErrorOf } from './ledger/errors.js';

const PREFIX = /^\/api\/(scan|validator|ledger)(?=\/)/;
const OF_LEDGER = /^\/v2\//;

export function answerWhileStarting({ method, url }: Request): Response {
  const { pathname } = new URL(url);
  const path = pathname.replace(PREFIX, '');
  if (method === 'GET' && path === '/livez') return Response.json({});
  if (method === 'GET' && path === '/status') return Response.json({ not_initialized: { active: false } });
  const problem = new Problem(503, 'the server is starting and reads its log; retry when GET /readyz returns 200');
  const body = OF_LEDGER.test(pathname) ? cantonErrorOf(problem) : { error: problem.message };
  return Response.json(body, { status: 503, headers: { 'Retry-After': '1' } });
}
