import type { Figure } from './figure.js';
import { html, raw, type Html } from './html.js';
import { STYLE } from './style.js';

export type Section = readonly [heading: string, body: Html];

interface Page {
  readonly title: string;
  readonly lines: readonly Html[];
  readonly sections: readonly Section[];
}

/** The page loads no resources and runs no scripts. */
export function pageText({ title, lines, sections }: Page): string {
  const anchor = (i: number): string => `s${i + 1}`;
  return `${
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} – coinlab</title>
          <style>
            ${raw(STYLE)}
          </style>
        </head>
        <body>
          <header>
            <h1>${title}</h1>
            ${lines}
            <nav aria-label="Parts of this report">
              ${sections.map(([heading], i) => html`<a href="#${anchor(i)}">${heading}</a>`)}
            </nav>
          </header>
          <main>
            ${sections.map(
              ([heading, body], i) =>
                html`<section aria-labelledby="${anchor(i)}">
                  <h2 id="${anchor(i)}">${heading}</h2>
                  ${body}
                </section>`,
            )}
          </main>
        </body>
      </html>`.text
  }\n`;
}

export function figuresHtml(figures: readonly Figure[]): Html {
  return html`<div class="figures">${figures.map(figureHtml)}</div>`;
}

export function wide(label: string, body: Html): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="${label}">${body}</div>`;
}

function figureHtml({ title, caption, svg }: Figure): Html {
  return html`<figure>
    <h3>${title}</h3>
    ${wide(`Plot: ${title}`, raw(svg))}
    <figcaption>${caption}</figcaption>
  </figure>`;
}
