import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read, repositoryFiles } from './source.ts';

interface Operation {
  readonly summary?: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const SUMMARY =
  /^(Accept|Advance|Allocate|Cancel|Check|Create|Download|Dump|End|Generate|Get|Grant|List|Look|Mint|Offer|Prepare|Propose|Rank|Reject|Remove|Replace|Request|Revert|Send|Stream|Submit|Summarise|Take|Withdraw) [^.]+$/;
/** Summaries that begin so hide the subject. */
const RIDDLE = /^(What|Who|Whose|Which|Those|All is|It |To be|Yes|Done)/;

/** A section or a copy of the API pages: an endpoint and the callers that it accepts. */
interface Row {
  readonly method: string;
  readonly path: string;
  readonly who: string;
}

const pages = repositoryFiles()
  .filter((path) => /^docs\/reference\/api\/[^/]+\.md$/.test(path))
  .map(read);
const rows: readonly Row[] = pages.flatMap((page) =>
  [...page.matchAll(/^(?:- `([A-Z]+) (\S+)` \((\w+)\)|## ([A-Z]+) (\S+)\n(?:(?!^## )[\s\S])*?^Token: (\w+) )/gm)].map(
    ([, copied, copy, copyWho, method = copied ?? '', path = copy ?? '', who = copyWho ?? '']) => ({
      method,
      path,
      who,
    }),
  ),
);

describe('the endpoint reference', () => {
  let server: CoinlabServer;
  beforeAll(async () => void (server = await createServer({ dev: true, clock: 'manual' })));
  afterAll(() => server.close());

  it('lists exactly the routes of the server', () => {
    const served = server.app.routes
      // The pages omit the pages for browsers, the OpenAPI documents, the middleware of all routes, and prefixes that change nothing.
      .filter(
        ({ method, path }) =>
          method !== 'ALL' && !/^\/($|\*$|api\/(?!ledger\/v2\/updates$)|openapi(\.json$|\/)|docs|web\/)/.test(path),
      )
      .map(({ method, path }) => `${method} ${path.replaceAll(/:([\w-]+)(\{[^}]*\})?/g, '{$1}')}`);
    expect(rows.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...new Set(served)].sort());
  });

  it('names the file that declares each endpoint, never the list that registers it', () => {
    const files = pages.flatMap((page) =>
      [...page.matchAll(/^Token: \w+ \(`([^`]+)`\)/gm)].map(([, file = '']) => file),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !/^apis\/[\w/-]+\.ts$/.test(file) || file.endsWith('index.ts'))).toEqual([]);
  });

  it('lists the callers that each endpoint accepts', async () => {
    const alice = await server.token('alice');
    const wrong: string[] = [];
    for (const [index, { method, path, who }] of rows.entries()) {
      // A new user each time, because one of the routes registers its caller.
      const stranger = await server.token(`stranger-${index}`);
      // The request has no body: the check of the caller must answer 401 or 403 before the body is validated.
      const status = async (token?: string): Promise<number> => {
        const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
        return (await server.app.request(path.replaceAll(/\{[\w-]+\}/g, 'x'), { method, headers })).status;
      };
      const told = [await status(), await status(stranger), await status(alice)];
      const [none, unknown, known] = told.map((answer) => answer === 401 || answer === 403);
      const fits =
        who === 'anyone'
          ? !none
          : who === 'operator' || who === 'admin'
            ? told[0] === 401 && told[1] === 403 && told[2] === 403
            : who === 'wallet'
              ? told[0] === 401 && told[1] === 404 && !known
              : who === 'user'
                ? told[0] === 401 && told[1] === 403
                : who === 'token' && told[0] === 401 && !unknown && !known;
      if (!fits) wrong.push(`${method} ${path} is said to be for ${who}, answers ${told.join(', ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('declares an imperative summary of at most eight words and a response description for every endpoint', async () => {
    const document = (await (await server.app.request('/openapi.json')).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    const faults: string[] = [];
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { summary = '', responses }] of Object.entries(methods)) {
        const response = responses['200']?.description ?? '';
        if (!SUMMARY.test(summary) || summary.split(' ').length > 8)
          faults.push(`${method} ${path}: summary '${summary}'`);
        if (!/^[A-Z].*\.$/.test(response) || RIDDLE.test(response))
          faults.push(`${method} ${path}: response '${response}'`);
      }
    expect(faults).toEqual([]);
  });
});
