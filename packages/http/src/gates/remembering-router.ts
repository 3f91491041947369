import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';

/** The router of Hono, which is asked once only for each path that has no parameters: most requests are for one of those. */
export class RememberingRouter<Handler> implements Router<Handler> {
  readonly name: string = 'RememberingRouter';
  readonly #router: Router<Handler> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] });
  /** What is found by path and then by method; paths with parameters are not in it. */
  readonly #found: Map<string, Map<string, Result<Handler>>> = new Map();

  add(method: string, path: string, handler: Handler): void {
    this.#router.add(method, path, handler);
    if (!/[:*{?]/.test(path)) this.#found.set(path, new Map());
  }

  match(method: string, path: string): Result<Handler> {
    const found = this.#found.get(path);
    if (!found || !METHODS.has(method)) return this.#router.match(method, path);
    let result = found.get(method);
    if (!result) {
      result = this.#router.match(method, path);
      found.set(method, result);
    }
    return result;
  }
}

/** Others may be anything, and are not to be remembered. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
