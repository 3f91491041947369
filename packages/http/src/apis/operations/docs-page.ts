import { API_DOCUMENTS } from './api-documents.js';

const LINKS = API_DOCUMENTS.map(
  ({ name, title }) => `<li><a href="docs?api=${name}">${title}</a> (<a href="openapi/${name}.json">document</a>)</li>`,
).join('\n        ');

/** The Content-Security-Policy forbids inline scripts and styles and other origins. */
export const DOCS_HTML: string = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>coinlab: try the API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <nav>
      <p>All routes in <a href="docs">one page</a> (<a href="openapi.json">document</a>), or each API as the network publishes it:</p>
      <ul>
        ${LINKS}
      </ul>
    </nav>
    <div id="page"></div>
    <noscript>This page needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

export const DOCS_POLICY: string =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const DOCS_SCRIPT: string = `const api = new URLSearchParams(location.search).get('api');
SwaggerUIBundle({
  url: new URL(api ? 'openapi/' + encodeURIComponent(api) + '.json' : 'openapi.json', location.href).href,
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
`;

export const DOCS_STYLE: string = `body { margin: 0; background: #fff; }
nav { max-width: 1460px; margin: 0 auto; padding: 12px 20px 0; font: 14px sans-serif; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 0; list-style: none; }
.swagger-ui .info { margin: 24px 0 16px; }
.swagger-ui .scheme-container { padding: 12px 0; margin: 0; }
.swagger-ui .filter-container { padding-top: 16px; }
.swagger-ui .filter .operation-filter-input { margin: 0 0 12px; border-width: 1px; }
.swagger-ui .opblock-tag { font-size: 18px; }
.swagger-ui .opblock-tag p { margin: 0; }
.swagger-ui .auth-container input { box-sizing: border-box; width: 100%; }
`;
