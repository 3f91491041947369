import type { JSX } from 'preact';
import { linkTo, part } from '../store/route.js';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly title: string }[];
  readonly current: string;
}

type Parts = Readonly<Record<string, { readonly title: string; readonly View: unknown }>>;

export function tabsOf(view: string, parts: Parts): TabsProps['tabs'] {
  return Object.entries(parts).map(([name, { title }]) => ({ path: name === '' ? view : `${view}/${name}`, title }));
}

export function shownPart<Some extends Parts & { readonly '': unknown }>(parts: Some): Some[keyof Some] {
  const name = Object.hasOwn(parts, part.value) ? part.value : '';
  // Cast: the name is one of the keys.
  return parts[name as keyof Some];
}

/** Links, so that each part has an address. */
export function Tabs({ label, tabs, current }: TabsProps): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, title }) => (
        <a key={path} href={linkTo(path)} {...(title === current ? { 'aria-current': 'page' as const } : {})}>
          {title}
        </a>
      ))}
    </nav>
  );
}
