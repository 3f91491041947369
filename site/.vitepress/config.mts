import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const docs = fileURLToPath(new URL('../pages', import.meta.url));

/** The address of the repository, for links to files that are not documents. Without it they are shown as names. */
const repository = process.env['COINLAB_REPOSITORY'];

const titleOf = (path: string): string => /^# (.+)$/m.exec(readFileSync(join(docs, path), 'utf8'))?.[1] ?? path;

function pagesOf(folder: string): { text: string; link: string }[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      text: titleOf(`${folder}/${name}`).replaceAll('`', ''),
      link: `/${folder}/${name.slice(0, -3)}`,
    }))
    .sort((a, b) => a.text.localeCompare(b.text, 'en'));
}

export default defineConfig({
  title: 'coinlab',
  description: 'An event-sourced ledger simulation engine for a coin network',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'pages',
  outDir: 'dist',
  base: process.env['COINLAB_SITE_BASE'] ?? '/',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    config(md) {
      // Links out of the documents lead to the repository, or become plain text.
      md.core.ruler.push('links-out-of-the-documents', ({ tokens, env }) => {
        for (const { children } of tokens) {
          let isOutside = false;
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const target = decodeURI(token.attrGet('href') ?? '');
              const path = outside(target, String(env.realPath ?? env.path));
              isOutside = path !== null && repository === undefined;
              if (path !== null && repository !== undefined) token.attrSet('href', `${repository}/blob/HEAD/${path}`);
            }
            if (isOutside && (token.type === 'link_open' || token.type === 'link_close')) {
              const wasClose = token.type === 'link_close';
              token.type = 'text';
              token.tag = '';
              token.nesting = 0;
              token.content = '';
              if (wasClose) isOutside = false;
            }
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/test-with-a-ledger' },
      { text: 'Reference', link: '/reference/commands' },
      { text: 'Architecture', link: '/ARCHITECTURE' },
    ],
    sidebar: [
      { text: 'Start', items: [{ text: 'All documents', link: '/' }] },
      { text: 'Guides', items: pagesOf('guides') },
      { text: 'Reference', items: pagesOf('reference') },
      { text: 'APIs', collapsed: true, items: pagesOf('reference/api') },
      { text: 'Decisions', collapsed: true, items: pagesOf('adr') },
      {
        text: 'More',
        items: ['ARCHITECTURE', 'assumptions', 'glossary', 'performance'].map((name) => ({
          text: titleOf(`${name}.md`),
          link: `/${name}`,
        })),
      },
    ],
  },
});

/** The path from the root of the repository of a link to a file that is no page of the site; null for other links. */
function outside(target: string, page: string): string | null {
  const [file = ''] = target.split('#');
  if (file === '' || /^[a-z]+:/.test(file)) return null;
  const path = normalize(join(dirname(page), file));
  const isPage = path.startsWith(docs + sep) && (file.endsWith('.md') || existsSync(`${path}.md`));
  return isPage ? null : path.slice(dirname(docs).length + 1).replaceAll(sep, '/');
}
