import { Problem } from '../problem.js';

const WORLD = /^(?:\/api\/(?:scan|validator))?\/(?:dev\/at|fork)\/[^/]+(?=\/|$)/;

/**
 * Returns `/v0/dso` for `/dev/at/45/v0/dso`. Clients generated from the OpenAPI document send the whole rest as one segment, with
 * `%2F`.
 */
export function pathInWorld(path: string): string {
  const rest = path.replace(WORLD, '') || '/';
  return rest.includes('/', 1) ? rest : rest.replaceAll(/%2f/gi, '/');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, `moment: ${text} is not a percent-encoded text`);
  }
}
