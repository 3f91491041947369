import type { Context, Handler } from 'hono';
import { soon } from '../request.js';

export type Check = (c: Context) => unknown;

export function behind(checks: readonly Check[], handler: Handler): Handler {
  return checks.reduceRight<Handler>((then, check) => (c, next) => soon(check(c), () => then(c, next)), handler);
}
