import type { JSX } from 'preact';
import { linkTo } from '../store/route.js';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly title: string }[];
  /** Title of the current tab. */
  readonly current: string;
}

/** The parts of a view as links, so that each has an address. */
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
