import { createHash } from 'node:crypto';

export interface HomeFacts {
  readonly release: string;
  readonly validator: string;
  readonly offset: number;
  readonly time: string;
  readonly profile: string;
  readonly isDev: boolean;
}

const STYLE = `
:root { color-scheme: light dark; --text: #1a1d21; --soft: #5b636e; --line: #d9dde2; --back: #fff; --link: #0b57b7; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --soft: #9aa3ae; --line: #343a42; --back: #15181c; --link: #7db4ff; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
p { margin: .25rem 0 0; color: var(--soft); }
a { color: var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .5rem 0; border-top: 1px solid var(--line); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
li span { display: block; color: var(--soft); }
`;

/** Allows the page's own style sheet and nothing else. */
export const HOME_POLICY: string = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Row = readonly [address: string, title: string, about: string];

const PAGES: readonly Row[] = [
  ['docs', 'API page', 'try every route in the browser'],
  ['openapi.json', 'OpenAPI document', 'all routes and their fields'],
  ['status', 'Status', 'state of the node and its uptime'],
  ['metrics', 'Metrics', 'requests, updates and delays, for Prometheus'],
];

const APIS: readonly (readonly [prefix: string, about: string])[] = [
  ['/api/validator/v0/…', 'validator: wallets, users, external parties'],
  ['/api/scan/v0/…', 'scan: public data of the network'],
  ['/registry/…', 'token standard: metadata and transfer factories'],
  ['/v2/…', 'JSON Ledger API'],
];
const DEV_API = ['/dev/…', 'for tests: time, snapshots, faults, any command'] as const;

/** The page for a browser that opens the server's address. Its links are relative, because every prefix serves it. */
export function homePage({ release, validator, offset, time, profile, isDev }: HomeFacts): string {
  const facts = {
    Validator: validator,
    Release: release,
    Rules: profile,
    'Ledger time': time,
    Updates: String(offset),
  };
  const pages = PAGES.map(([at, title, about]) => `<li><a href="${at}">${title}</a><span>${about}</span></li>`);
  const apis = (isDev ? [...APIS, DEV_API] : APIS).map(
    ([prefix, about]) => `<li><code>${prefix}</code><span>${about}</span></li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>coinlab</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>coinlab</h1>
      <p>This address serves the APIs of a coin network from a simulated ledger.</p>
      <h2>Ledger</h2>
      <dl>${Object.entries(facts)
        .map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
        .join('')}</dl>
      <h2>Pages</h2>
      <ul>${pages.join('')}</ul>
      <h2>APIs</h2>
      <ul>${apis.join('')}</ul>
    </main>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
