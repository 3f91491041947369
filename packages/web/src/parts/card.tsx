import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly className?: string;
  readonly children: ComponentChildren;
}

export function Card({ title, aside, className = '', children }: CardProps): JSX.Element {
  const id = useId();
  return (
    <section class={`card ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside === undefined ? null : <span class="quiet">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
